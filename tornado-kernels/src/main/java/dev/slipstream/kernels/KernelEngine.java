package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Where kernels run. An engine prepares kernels: everything that can be done once (building a TaskGraph, compiling it,
 * taking device memory) happens in the methods here, nothing of it in a kernel's own methods, which a training step calls.
 *
 * <p>All engines give the same bits for the same input. Preparing and closing are safe from several threads; a prepared
 * kernel belongs to one thread at a time, and different kernels of one engine may run at the same time.
 *
 * <p>Closing the engine closes the kernels it prepared. Wrong arguments are an {@link IllegalArgumentException}; a kernel
 * that cannot be prepared or run is a {@link KernelException} that names the kernel, the reason and the remedy.
 */
public interface KernelEngine extends AutoCloseable {
    /**
     * Bytes that lie in front of the payload in an allocation given to {@link #wrap}: room for an engine's own array
     * header (TornadoVM's is 16 or 24 bytes), kept at 64 so that the payload stays aligned.
     */
    long HEADROOM = 64;

    /** The engine's name as users write it: {@code cpu}, {@code tornado} or {@code emulator}. */
    String name();

    /** One line for people: device, threads, vector width. */
    String description();

    /** Allocates a zeroed buffer that lives until the engine is closed. */
    KernelBuffer allocate(long bytes);

    /**
     * Makes a buffer of memory that the caller owns (a communicator's, say), without a copy.
     *
     * @param allocation native memory, {@link #HEADROOM} bytes and then the payload; the engine may write to the headroom
     */
    KernelBuffer wrap(MemorySegment allocation);

    /** Prepares {@code buffer[i] *= factor} for the first {@code elements} float32 elements. */
    ScaleKernel scale(KernelBuffer buffer, long elements);

    /**
     * Prepares {@code target[i] = (replicas[0][i] + replicas[1][i] + ...) * factor}, added in list order in float32: the
     * averaging of replicas on one device.
     *
     * @param replicas one to eight float32 buffers; {@code target} may be one of them
     */
    SumKernel sum(List<KernelBuffer> replicas, KernelBuffer target, long elements);

    /**
     * Prepares packing of many gradients into one bucket buffer and back.
     *
     * @param gradientFormat what the gradients hold
     * @param bucketFormat what the bucket holds: the gradients' own format, or a 16-bit one for float32 gradients
     */
    PackKernel pack(BucketLayout layout, KernelBuffer bucket, FloatFormat gradientFormat, FloatFormat bucketFormat);

    /**
     * Prepares the cast between float32 and 16-bit floats: rounded to nearest, ties to even; overflow gives infinity; a
     * NaN stays NaN; subnormals are kept.
     *
     * @param format {@link FloatFormat#FLOAT16} or {@link FloatFormat#BFLOAT16}
     */
    CastKernel cast(KernelBuffer floats, KernelBuffer bits, long elements, FloatFormat format);

    /**
     * Prepares the exact selection of the elements of largest magnitude.
     *
     * @param gradient float32
     * @param residual float32, the error feedback: added to the gradient before the selection; afterwards it holds what
     *     was not selected
     * @param maxK the largest k that will be asked for, 0 to {@code elements}
     */
    TopKKernel topK(KernelBuffer gradient, KernelBuffer residual, long elements, int maxK);

    /** Frees the kernels and buffers of this engine. Always returns; a second call does nothing. */
    @Override
    void close();

    /**
     * Opens the engine that the options ask for. {@link EngineKind#AUTO} takes TornadoVM where its SDK and a GPU are there,
     * else the cpu engine, and logs which and why, once.
     *
     * @throws KernelException when it is not available, with the reason and the remedy
     */
    static KernelEngine open(EngineOptions options) {
        return EngineChoice.open(options);
    }

    /**
     * Opens the cpu engine.
     *
     * @param threads how many threads one kernel may use, the caller's included; at least 1
     */
    static KernelEngine cpu(int threads) {
        return CpuEngine.open(threads);
    }
}
