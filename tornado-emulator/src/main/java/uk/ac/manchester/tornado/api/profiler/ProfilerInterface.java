package uk.ac.manchester.tornado.api.profiler;

/** Times in nanoseconds and sizes in bytes. */
public interface ProfilerInterface {
    long getTotalTime();

    long getDataTransfersTime();

    /** Time of the transfers to the device. */
    long getDeviceWriteTime();

    /** Time of the transfers to the host. */
    long getDeviceReadTime();

    long getDeviceKernelTime();

    long getTotalBytesCopyIn();

    long getTotalBytesCopyOut();

    long getTotalBytesTransferred();

    long getTotalDeviceMemoryUsage();
}
