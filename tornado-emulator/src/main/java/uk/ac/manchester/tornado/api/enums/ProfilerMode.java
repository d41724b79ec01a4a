package uk.ac.manchester.tornado.api.enums;

/** Where a profile goes. */
public enum ProfilerMode {
    CONSOLE,
    SILENT
}
