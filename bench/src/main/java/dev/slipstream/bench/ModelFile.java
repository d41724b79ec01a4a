package dev.slipstream.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The parameter lists of published models that are bundled: name, elements, forward FLOPs, in forward order. */
final class ModelFile {
    /** One parameter. */
    record Entry(String name, long elements, long forwardFlops) {}

    private ModelFile() {}

    /** Reads {@code resnet50}, {@code bert_base} or {@code gpt2}. */
    static List<Entry> read(String model) {
        try (var in = ModelFile.class.getResourceAsStream("models/" + model + ".csv")) {
            if (in == null) {
                throw CommandException.usage(
                        "There is no bundled model '" + model + "'.", "known are resnet50, bert_base and gpt2");
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            return reader.lines().skip(1).map(ModelFile::entry).toList();
        } catch (IOException e) {
            throw CommandException.failed("The bundled model " + model + " can't be read: " + e.getMessage(), "", e);
        }
    }

    private static Entry entry(String line) {
        String[] cells = line.split(",", -1);
        return new Entry(cells[0], Long.parseLong(cells[2]), Long.parseLong(cells[3]));
    }
}
