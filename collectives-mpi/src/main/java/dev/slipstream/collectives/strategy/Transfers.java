package dev.slipstream.collectives.strategy;

import dev.slipstream.collectives.strategy.Wire.Transfer;
import java.util.ArrayList;
import java.util.List;

/** Transfers that are waited for together. */
final class Transfers {
    private final Wire wire;
    private final List<Transfer> pending = new ArrayList<>();

    Transfers(Wire wire) {
        this.wire = wire;
    }

    void add(Transfer transfer) {
        pending.add(transfer);
    }

    void awaitAll() {
        for (int i = 0; i < pending.size(); i++) {
            wire.await(pending.get(i));
        }
        pending.clear();
    }
}
