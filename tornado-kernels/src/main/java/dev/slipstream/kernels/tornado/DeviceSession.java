package dev.slipstream.kernels.tornado;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/** One engine's device and the plans on it. Safe from several threads. */
final class DeviceSession implements AutoCloseable {
    private final TornadoDevice device;
    private final SelectionShape selection;
    private final Set<DevicePlan> plans = ConcurrentHashMap.newKeySet();

    DeviceSession(TornadoDevice device, SelectionShape selection) {
        this.device = device;
        this.selection = selection;
    }

    TornadoDevice device() {
        return device;
    }

    /** How top-k selections are spread over this device. */
    SelectionShape selection() {
        return selection;
    }

    Grids grids() {
        return new Grids(device);
    }

    /** Builds a plan that is closed with this session, unless it is closed before. */
    DevicePlan plan(String kernel, Grids grids, long bytes, TaskGraph... graphs) {
        DevicePlan plan = new DevicePlan(kernel, device, grids, bytes, List.of(graphs), plans::remove);
        plans.add(plan);
        return plan;
    }

    @Override
    public void close() {
        plans.forEach(DevicePlan::close);
    }
}
