package uk.ac.manchester.tornado.api.enums;

/** Kinds of backend. The emulator's is {@link #JAVA}. */
public enum TornadoVMBackendType {
    OPENCL,
    METAL,
    PTX,
    CUDA,
    SPIRV,
    JAVA,
    VIRTUAL
}
