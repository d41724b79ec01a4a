package dev.slipstream.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes what a command has measured, for programs. */
final class JsonFile {
    private JsonFile() {}

    static void write(Path file, Object rows) {
        JsonMapper mapper =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        try {
            Files.writeString(file, mapper.writeValueAsString(rows) + "\n");
        } catch (IOException e) {
            throw CommandException.failed(
                    "Could not write " + file + ": " + e.getMessage(), "name a file in a folder that exists", e);
        }
    }
}
