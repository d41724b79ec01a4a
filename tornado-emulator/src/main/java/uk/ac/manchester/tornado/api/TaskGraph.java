package uk.ac.manchester.tornado.api;

import dev.slipstream.emulator.RecordedGraph;
import dev.slipstream.emulator.RecordedTask;
import dev.slipstream.emulator.RecordedTask.Body;
import java.util.ArrayList;
import java.util.List;
import uk.ac.manchester.tornado.api.common.TornadoFunctions;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;

/**
 * Tasks and the transfers around them, recorded in order. A task is a method reference and its arguments: arrays, boxed
 * numbers (taken by value when the graph is built) and at most one {@link KernelContext}.
 */
@SuppressWarnings("unchecked") // Each body casts the arguments back to the types that its task() took.
public class TaskGraph {
    private final String name;
    private final List<RecordedGraph.Upload> uploads = new ArrayList<>();
    private final List<RecordedGraph.Consumption> consumptions = new ArrayList<>();
    private final List<RecordedTask> tasks = new ArrayList<>();
    private final List<RecordedGraph.Download> downloads = new ArrayList<>();

    public TaskGraph(String name) {
        this.name = name;
    }

    public String getTaskGraphName() {
        return name;
    }

    /** Copies arrays to the device before the tasks run, as often as the {@link DataTransferMode} says. */
    public TaskGraph transferToDevice(int mode, Object... objects) {
        for (Object array : objects) {
            if (!(array instanceof Number)) {
                uploads.add(new RecordedGraph.Upload(
                        RecordedGraph.array(name, array), mode == DataTransferMode.EVERY_EXECUTION));
            }
        }
        return this;
    }

    /** Takes arrays where the named graph of the same plan, executed just before, left them on the device. */
    public TaskGraph consumeFromDevice(String uniqueTaskGraphName, Object... objects) {
        for (Object array : objects) {
            consumptions.add(new RecordedGraph.Consumption(uniqueTaskGraphName, RecordedGraph.array(name, array)));
        }
        return this;
    }

    /** Takes arrays where the graph of the same plan, executed just before, left them on the device. */
    public TaskGraph consumeFromDevice(Object... objects) {
        return consumeFromDevice(RecordedGraph.Consumption.ANY, objects);
    }

    /** Copies arrays to the host after the tasks: after each execution, or when the result is asked for them. */
    public TaskGraph transferToHost(int mode, Object... objects) {
        for (Object array : objects) {
            downloads.add(new RecordedGraph.Download(
                    RecordedGraph.array(name, array), mode != DataTransferMode.UNDER_DEMAND));
        }
        return this;
    }

    /** Leaves arrays on the device for another graph, or for a transfer on demand. */
    public TaskGraph persistOnDevice(Object... objects) {
        return transferToHost(DataTransferMode.UNDER_DEMAND, objects);
    }

    /** The graph as it is now, for an execution plan. */
    public ImmutableTaskGraph snapshot() {
        return new ImmutableTaskGraph(new RecordedGraph(name, uploads, consumptions, tasks, downloads));
    }

    private TaskGraph add(String id, Body body, Object... arguments) {
        for (RecordedTask task : tasks) {
            if (task.id().equals(id)) {
                throw new TornadoRuntimeException("Task graph " + name + " has a task named " + id + " already.");
            }
        }
        tasks.add(RecordedTask.of(name, id, body, arguments));
        return this;
    }

    public TaskGraph task(String id, TornadoFunctions.Task code) {
        return add(id, a -> code.apply());
    }

    public <T1> TaskGraph task(String id, TornadoFunctions.Task1<T1> code, T1 arg1) {
        return add(id, a -> code.apply((T1) a[0]), arg1);
    }

    public <T1, T2> TaskGraph task(String id, TornadoFunctions.Task2<T1, T2> code, T1 arg1, T2 arg2) {
        return add(id, a -> code.apply((T1) a[0], (T2) a[1]), arg1, arg2);
    }

    public <T1, T2, T3> TaskGraph task(String id, TornadoFunctions.Task3<T1, T2, T3> code, T1 arg1, T2 arg2, T3 arg3) {
        return add(id, a -> code.apply((T1) a[0], (T2) a[1], (T3) a[2]), arg1, arg2, arg3);
    }

    public <T1, T2, T3, T4> TaskGraph task(
            String id, TornadoFunctions.Task4<T1, T2, T3, T4> code, T1 arg1, T2 arg2, T3 arg3, T4 arg4) {
        return add(id, a -> code.apply((T1) a[0], (T2) a[1], (T3) a[2], (T4) a[3]), arg1, arg2, arg3, arg4);
    }

    public <T1, T2, T3, T4, T5> TaskGraph task(
            String id, TornadoFunctions.Task5<T1, T2, T3, T4, T5> code, T1 arg1, T2 arg2, T3 arg3, T4 arg4, T5 arg5) {
        return add(
                id,
                a -> code.apply((T1) a[0], (T2) a[1], (T3) a[2], (T4) a[3], (T5) a[4]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5);
    }

    public <T1, T2, T3, T4, T5, T6> TaskGraph task(
            String id,
            TornadoFunctions.Task6<T1, T2, T3, T4, T5, T6> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6) {
        return add(
                id,
                a -> code.apply((T1) a[0], (T2) a[1], (T3) a[2], (T4) a[3], (T5) a[4], (T6) a[5]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6);
    }

    public <T1, T2, T3, T4, T5, T6, T7> TaskGraph task(
            String id,
            TornadoFunctions.Task7<T1, T2, T3, T4, T5, T6, T7> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6,
            T7 arg7) {
        return add(
                id,
                a -> code.apply((T1) a[0], (T2) a[1], (T3) a[2], (T4) a[3], (T5) a[4], (T6) a[5], (T7) a[6]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6,
                arg7);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8> TaskGraph task(
            String id,
            TornadoFunctions.Task8<T1, T2, T3, T4, T5, T6, T7, T8> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6,
            T7 arg7,
            T8 arg8) {
        return add(
                id,
                a -> code.apply((T1) a[0], (T2) a[1], (T3) a[2], (T4) a[3], (T5) a[4], (T6) a[5], (T7) a[6], (T8) a[7]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6,
                arg7,
                arg8);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9> TaskGraph task(
            String id,
            TornadoFunctions.Task9<T1, T2, T3, T4, T5, T6, T7, T8, T9> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6,
            T7 arg7,
            T8 arg8,
            T9 arg9) {
        return add(
                id,
                a -> code.apply(
                        (T1) a[0], (T2) a[1], (T3) a[2], (T4) a[3], (T5) a[4], (T6) a[5], (T7) a[6], (T8) a[7],
                        (T9) a[8]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6,
                arg7,
                arg8,
                arg9);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> TaskGraph task(
            String id,
            TornadoFunctions.Task10<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6,
            T7 arg7,
            T8 arg8,
            T9 arg9,
            T10 arg10) {
        return add(
                id,
                a -> code.apply(
                        (T1) a[0],
                        (T2) a[1],
                        (T3) a[2],
                        (T4) a[3],
                        (T5) a[4],
                        (T6) a[5],
                        (T7) a[6],
                        (T8) a[7],
                        (T9) a[8],
                        (T10) a[9]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6,
                arg7,
                arg8,
                arg9,
                arg10);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> TaskGraph task(
            String id,
            TornadoFunctions.Task11<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6,
            T7 arg7,
            T8 arg8,
            T9 arg9,
            T10 arg10,
            T11 arg11) {
        return add(
                id,
                a -> code.apply(
                        (T1) a[0],
                        (T2) a[1],
                        (T3) a[2],
                        (T4) a[3],
                        (T5) a[4],
                        (T6) a[5],
                        (T7) a[6],
                        (T8) a[7],
                        (T9) a[8],
                        (T10) a[9],
                        (T11) a[10]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6,
                arg7,
                arg8,
                arg9,
                arg10,
                arg11);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> TaskGraph task(
            String id,
            TornadoFunctions.Task12<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6,
            T7 arg7,
            T8 arg8,
            T9 arg9,
            T10 arg10,
            T11 arg11,
            T12 arg12) {
        return add(
                id,
                a -> code.apply(
                        (T1) a[0],
                        (T2) a[1],
                        (T3) a[2],
                        (T4) a[3],
                        (T5) a[4],
                        (T6) a[5],
                        (T7) a[6],
                        (T8) a[7],
                        (T9) a[8],
                        (T10) a[9],
                        (T11) a[10],
                        (T12) a[11]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6,
                arg7,
                arg8,
                arg9,
                arg10,
                arg11,
                arg12);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> TaskGraph task(
            String id,
            TornadoFunctions.Task13<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6,
            T7 arg7,
            T8 arg8,
            T9 arg9,
            T10 arg10,
            T11 arg11,
            T12 arg12,
            T13 arg13) {
        return add(
                id,
                a -> code.apply(
                        (T1) a[0],
                        (T2) a[1],
                        (T3) a[2],
                        (T4) a[3],
                        (T5) a[4],
                        (T6) a[5],
                        (T7) a[6],
                        (T8) a[7],
                        (T9) a[8],
                        (T10) a[9],
                        (T11) a[10],
                        (T12) a[11],
                        (T13) a[12]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6,
                arg7,
                arg8,
                arg9,
                arg10,
                arg11,
                arg12,
                arg13);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> TaskGraph task(
            String id,
            TornadoFunctions.Task14<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6,
            T7 arg7,
            T8 arg8,
            T9 arg9,
            T10 arg10,
            T11 arg11,
            T12 arg12,
            T13 arg13,
            T14 arg14) {
        return add(
                id,
                a -> code.apply(
                        (T1) a[0],
                        (T2) a[1],
                        (T3) a[2],
                        (T4) a[3],
                        (T5) a[4],
                        (T6) a[5],
                        (T7) a[6],
                        (T8) a[7],
                        (T9) a[8],
                        (T10) a[9],
                        (T11) a[10],
                        (T12) a[11],
                        (T13) a[12],
                        (T14) a[13]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6,
                arg7,
                arg8,
                arg9,
                arg10,
                arg11,
                arg12,
                arg13,
                arg14);
    }

    public <T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15> TaskGraph task(
            String id,
            TornadoFunctions.Task15<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15> code,
            T1 arg1,
            T2 arg2,
            T3 arg3,
            T4 arg4,
            T5 arg5,
            T6 arg6,
            T7 arg7,
            T8 arg8,
            T9 arg9,
            T10 arg10,
            T11 arg11,
            T12 arg12,
            T13 arg13,
            T14 arg14,
            T15 arg15) {
        return add(
                id,
                a -> code.apply(
                        (T1) a[0],
                        (T2) a[1],
                        (T3) a[2],
                        (T4) a[3],
                        (T5) a[4],
                        (T6) a[5],
                        (T7) a[6],
                        (T8) a[7],
                        (T9) a[8],
                        (T10) a[9],
                        (T11) a[10],
                        (T12) a[11],
                        (T13) a[12],
                        (T14) a[13],
                        (T15) a[14]),
                arg1,
                arg2,
                arg3,
                arg4,
                arg5,
                arg6,
                arg7,
                arg8,
                arg9,
                arg10,
                arg11,
                arg12,
                arg13,
                arg14,
                arg15);
    }
}
