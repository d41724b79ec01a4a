package dev.slipstream.emulator;

/** One work-item: its place in the grid, and what its kernel asks of the group. */
public final class WorkItem {
    /** Which memory a barrier orders. */
    public enum Fence {
        LOCAL,
        GLOBAL
    }

    /** How many numbers {@link #place} has. */
    public static final int PLACE = 15;

    private final WorkGroup group;
    private final Grid grid;
    private final int groupNumber;
    private final int number;
    private int localArrays;

    WorkItem(WorkGroup group, Grid grid, int groupNumber, int number) {
        this.group = group;
        this.grid = grid;
        this.groupNumber = groupNumber;
        this.number = number;
    }

    /**
     * The place in the grid: the ids in the grid, of the group and in the group, then the sizes of grid and group, each in
     * the dimensions x, y and z.
     */
    public int[] place() {
        int[] place = new int[PLACE];
        for (int dimension = 0; dimension < 3; dimension++) {
            place[dimension] = grid.globalId(groupNumber, number, dimension);
            place[3 + dimension] = grid.groupId(groupNumber, dimension);
            place[6 + dimension] = grid.localId(number, dimension);
            place[9 + dimension] = grid.global(dimension);
            place[12 + dimension] = grid.local(dimension);
        }
        return place;
    }

    /** Waits for the other work-items of the group. */
    public void barrier(Fence fence) {
        group.barrier(this, fence);
    }

    /**
     * The group's array in local memory for this allocation: the same for all work-items that have made as many before.
     *
     * @param fresh an array of the type and length asked for, which becomes the group's if it is the first
     */
    public <T> T allocateLocal(T fresh) {
        return group.localMemory().allocate(this, localArrays++, fresh);
    }

    /** The accesses that follow, a read and a write of one element, are one atomic update. */
    public void beginAtomic() {
        group.clock().setAtomic(true);
    }

    /** Ends an atomic update. */
    public void endAtomic() {
        group.clock().setAtomic(false);
    }

    /** The number in the group. */
    int number() {
        return number;
    }

    long globalNumber() {
        return grid.globalId(groupNumber, number);
    }

    @Override
    public String toString() {
        return "work-item " + globalNumber() + " (" + number + " of group " + groupNumber + ")";
    }
}
