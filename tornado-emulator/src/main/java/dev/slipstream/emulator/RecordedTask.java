package dev.slipstream.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.exceptions.TornadoTaskRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A task: its name as {@code graph.task}, its method and its arguments.
 *
 * @param context the position of the KernelContext among the arguments, or -1
 */
public record RecordedTask(String name, String id, Body body, List<Object> arguments, int context) {
    /** Calls the task's method with the given arguments. */
    @FunctionalInterface
    public interface Body {
        void run(Object[] arguments);
    }

    public static RecordedTask of(String graph, String id, Body body, Object... arguments) {
        String name = graph + "." + id;
        List<Object> list = new ArrayList<>();
        int context = -1;
        for (Object argument : arguments) {
            Objects.requireNonNull(argument, () -> "Task " + name + " has a null argument.");
            if (argument instanceof KernelContext) {
                if (context >= 0) {
                    throw new TornadoTaskRuntimeException("Task " + name + " has two KernelContexts.");
                }
                context = list.size();
            } else if (!(argument instanceof TornadoNativeArray
                    || argument instanceof Number
                    || argument instanceof Boolean)) {
                throw new TornadoTaskRuntimeException(
                        "Task " + name + " has a " + argument.getClass().getName()
                                + " as an argument; the emulator takes arrays such as FloatArray, numbers and a KernelContext.");
            }
            list.add(argument);
        }
        return new RecordedTask(name, id, body, List.copyOf(list), context);
    }
}
