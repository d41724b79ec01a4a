package dev.slipstream.bench.doctor;

/**
 * One thing that was looked for.
 *
 * @param detail what was found, or why not
 * @param remedy the command that adds it; empty when nothing is amiss
 */
public record Finding(String what, boolean found, String detail, String remedy) {
    static Finding found(String what, String detail) {
        return new Finding(what, true, detail, "");
    }

    static Finding missing(String what, String detail, String remedy) {
        return new Finding(what, false, detail, remedy);
    }
}
