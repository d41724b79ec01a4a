package dev.slipstream.kernels;

import java.util.Arrays;
import java.util.List;

/**
 * Where each gradient lies in a bucket: slot i holds {@code lengths[i]} elements, from the sum of the lengths before it,
 * without gaps.
 */
public final class BucketLayout {
    private final long[] offsets;

    private BucketLayout(long[] offsets) {
        this.offsets = offsets;
    }

    /** A layout of the given lengths, in elements; 0 is allowed. */
    public static BucketLayout of(long... lengths) {
        long[] offsets = new long[lengths.length + 1];
        for (int slot = 0; slot < lengths.length; slot++) {
            if (lengths[slot] < 0) {
                throw new IllegalArgumentException(
                        "Slot " + slot + " of a bucket has the length " + lengths[slot] + "; lengths are at least 0.");
            }
            offsets[slot + 1] = Math.addExact(offsets[slot], lengths[slot]);
        }
        return new BucketLayout(offsets);
    }

    /** A layout of the given lengths, in elements. */
    public static BucketLayout of(List<Long> lengths) {
        return of(lengths.stream().mapToLong(Long::longValue).toArray());
    }

    /** How many gradients the bucket holds. */
    public int slots() {
        return offsets.length - 1;
    }

    /** First element of a slot. */
    public long offset(int slot) {
        return offsets[slot];
    }

    /** Elements in a slot. */
    public long length(int slot) {
        return offsets[slot + 1] - offsets[slot];
    }

    /** The slot that holds an element, {@link #slots()} when that is past the end; slots without elements hold none. */
    public int slotAt(long element) {
        int found = Arrays.binarySearch(offsets, element);
        if (found < 0) {
            return -found - 2;
        }
        while (found < slots() && length(found) == 0) {
            found++;
        }
        return found;
    }

    /** Elements in the bucket. */
    public long elements() {
        return offsets[offsets.length - 1];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BucketLayout that && Arrays.equals(offsets, that.offsets);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(offsets);
    }

    @Override
    public String toString() {
        return "BucketLayout[" + slots() + " slots, " + elements() + " elements]";
    }
}
