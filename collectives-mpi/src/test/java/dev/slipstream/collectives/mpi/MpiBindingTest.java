package dev.slipstream.collectives.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MpiBindingTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Tag("mpi")
    void ffmKeepsMpisPromises(int ranks) throws Exception {
        MpiRun.Outcome outcome = new MpiRun()
                .run(ranks, BindingWorker.class, "ffm", Integer.toString(ranks))
                .assertSuccess();
        for (int rank = 0; rank < ranks; rank++) {
            outcome.assertSays("rank " + rank + " done");
        }
    }

    @Test
    void splitCoversTheWholeBufferOnce() {
        for (long bytes : new long[] {0, 8, 16, 24, 4096, (1L << 33) + 8}) {
            for (long limit : new long[] {8, 16, 4096, Integer.MAX_VALUE & -8L}) {
                if (bytes / limit > 10_000) {
                    continue;
                }
                List<Long> pieces = new ArrayList<>();
                Split.run(bytes, limit, (offset, length) -> {
                    assertEquals(pieces.stream().mapToLong(Long::longValue).sum(), offset);
                    assertTrue(length > 0 && length <= limit);
                    pieces.add(length);
                });
                assertEquals(bytes, pieces.stream().mapToLong(Long::longValue).sum());
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Split.run(8, 0, (offset, length) -> {}));
    }
}
