package uk.ac.manchester.tornado.api;

import dev.slipstream.emulator.RecordedGraph;

/** A task graph that can be executed; see {@link TaskGraph#snapshot}. */
public class ImmutableTaskGraph {
    private final RecordedGraph recorded;

    ImmutableTaskGraph(RecordedGraph recorded) {
        this.recorded = recorded;
    }

    RecordedGraph recorded() {
        return recorded;
    }
}
