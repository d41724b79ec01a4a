package dev.slipstream.scheduler;

import dev.slipstream.collectives.ElementType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the ranks must agree on before they exchange gradients.
 *
 * @param problem what this rank finds wrong with its own input, or an empty text
 * @param settings those that shape the messages
 * @param parameters in registration order
 */
record Description(String problem, List<Setting> settings, List<Parameter> parameters) {
    /** One setting, as a user writes it. */
    record Setting(String name, String value) {}

    /** Changes whenever two versions of this library would misunderstand each other. */
    private static final int PROTOCOL = 1;

    static Description of(List<Parameter> parameters, OverlapConfig config) {
        List<Setting> settings = List.of(
                new Setting("protocol version", Integer.toString(PROTOCOL)),
                new Setting("bucketBytes", Long.toString(config.bucketBytes())),
                new Setting("firstBucketBytes", Long.toString(config.firstBucketBytes())),
                new Setting("minTensorElements", Long.toString(config.minTensorElements())),
                new Setting("compression", config.compression().toString()));
        return new Description(problem(parameters), settings, List.copyOf(parameters));
    }

    private static String problem(List<Parameter> parameters) {
        Set<String> names = new HashSet<>();
        for (Parameter parameter : parameters) {
            if (!names.add(parameter.name())) {
                return "Two parameters are called '" + parameter.name() + "'; every parameter needs a name of its own.";
            }
        }
        return "";
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out, problem);
            out.writeInt(settings.size());
            for (Setting setting : settings) {
                write(out, setting.name());
                write(out, setting.value());
            }
            out.writeInt(parameters.size());
            for (Parameter parameter : parameters) {
                write(out, parameter.name());
                write(out, parameter.type().name());
                out.writeInt(parameter.shape().size());
                for (long extent : parameter.shape()) {
                    out.writeLong(extent);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static Description decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String problem = read(in);
            List<Setting> settings = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                settings.add(new Setting(read(in), read(in)));
            }
            List<Parameter> parameters = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                String name = read(in);
                ElementType type = ElementType.valueOf(read(in));
                long[] shape = new long[in.readInt()];
                for (int i = 0; i < shape.length; i++) {
                    shape[i] = in.readLong();
                }
                parameters.add(Parameter.of(name, type, shape));
            }
            return new Description(problem, settings, parameters);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Not writeUTF, which ends at 64 KiB. */
    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String read(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
