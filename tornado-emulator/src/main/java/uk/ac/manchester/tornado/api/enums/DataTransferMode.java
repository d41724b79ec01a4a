package uk.ac.manchester.tornado.api.enums;

/** When a transfer takes place. */
public class DataTransferMode {
    /** Before the first execution only. */
    public static final int FIRST_EXECUTION = 0;

    /** At each execution. */
    public static final int EVERY_EXECUTION = 1;

    /** When the execution's result is asked for it. */
    public static final int UNDER_DEMAND = 2;
}
