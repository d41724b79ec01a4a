package uk.ac.manchester.tornado.api;

/** A grid of dimension 3. */
public class WorkerGrid3D extends AbstractWorkerGrid {
    public static final int DIM = 3;

    public WorkerGrid3D(int x, int y, int z) {
        super(x, y, z);
    }

    @Override
    public int dimension() {
        return DIM;
    }
}
