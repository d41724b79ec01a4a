package dev.slipstream.emulator;

import java.util.List;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A task graph as it was when its snapshot was taken. */
public record RecordedGraph(
        String name,
        List<Upload> uploads,
        List<Consumption> consumptions,
        List<RecordedTask> tasks,
        List<Download> downloads) {
    /** An array to copy to the device, at every execution or only at the first. */
    public record Upload(TornadoNativeArray array, boolean everyExecution) {}

    /** An array that another graph left on the device. */
    public record Consumption(String source, TornadoNativeArray array) {
        /** The source where none is named: the graph executed before. */
        public static final String ANY = "";

        boolean any() {
            return source.equals(ANY);
        }
    }

    /** An array to copy to the host, at every execution or only on demand. */
    public record Download(TornadoNativeArray array, boolean everyExecution) {}

    public RecordedGraph {
        uploads = List.copyOf(uploads);
        consumptions = List.copyOf(consumptions);
        tasks = List.copyOf(tasks);
        downloads = List.copyOf(downloads);
    }

    /** An object of a transfer as the array that it must be. */
    public static TornadoNativeArray array(String graph, Object object) {
        if (object instanceof TornadoNativeArray array) {
            return array;
        }
        throw new TornadoRuntimeException("Task graph " + graph + " transfers a "
                + object.getClass().getName() + "; the emulator transfers FloatArray, IntArray and the like.");
    }

    static String describe(TornadoNativeArray array) {
        return array.getClass().getSimpleName() + " of " + array.getSize();
    }
}
