package dev.slipstream.kernels.tornado;

import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;

/**
 * How a top-k selection is spread over a device.
 *
 * @param mostItems the most work-items, each of which takes a run of consecutive elements
 * @param group work-items in a group
 */
record SelectionShape(int mostItems, int group) {
    /** Below this, a work-item has less to do than its histogram costs. */
    private static final int LEAST_ELEMENTS = 512;

    /** A few work-items for each core of a processor, thousands for a GPU. */
    static SelectionShape of(TornadoDevice device) {
        return device.getDeviceType() == TornadoDeviceType.GPU
                ? new SelectionShape(8192, 256)
                : new SelectionShape(4 * Math.max(1, device.getPhysicalDevice().getDeviceMaxComputeUnits()), 1);
    }

    int items(int elements) {
        return Math.clamp(elements / LEAST_ELEMENTS, 1, mostItems);
    }
}
