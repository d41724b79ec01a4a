package dev.slipstream.bench.train;

import dev.slipstream.bench.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Images of handwritten digits: 64 pixels from 0 to 1 each, and the digit.
 *
 * @param pixels {@code count} times 64, image by image
 * @param labels 0 to 9
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a value
public record DigitsData(float[] pixels, byte[] labels) {
    /** Pixels of one image. */
    public static final int PIXELS = 64;

    /** Digits. */
    public static final int CLASSES = 10;

    /** How many images, the last ones, are kept for testing. */
    public static final int TEST_IMAGES = 297;

    /** Reads a file of the user's, or the bundled 1797 images. */
    public static DigitsData read(Optional<Path> file) {
        String name = file.map(Path::toString).orElse("the bundled digits");
        try (InputStream in = file.isPresent() ? Files.newInputStream(file.get()) : bundled()) {
            return parse(name, in);
        } catch (NoSuchFileException e) {
            throw unreadable(name, "there is no such file", e);
        } catch (IOException e) {
            throw unreadable(name, String.valueOf(e.getMessage()), e);
        }
    }

    private static InputStream bundled() throws IOException {
        InputStream in = CommandException.class.getResourceAsStream("digits.csv.gz");
        if (in == null) {
            throw new IOException("digits.csv.gz is missing from the jar");
        }
        return in;
    }

    private static CommandException unreadable(String name, String reason, @Nullable Throwable cause) {
        return CommandException.failed(
                "The data file " + name + " can't be read: " + reason + ".",
                "it has 65 comma-separated numbers a line, 64 pixels from 0 to 16 and the digit; it may be gzipped",
                cause);
    }

    private static DigitsData parse(String name, InputStream raw) throws IOException {
        PushbackInputStream start = new PushbackInputStream(raw, 2);
        byte[] magic = start.readNBytes(2);
        start.unread(magic);
        boolean zipped = magic.length == 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
        float[] pixels = new float[1024 * PIXELS];
        byte[] labels = new byte[1024];
        int count = 0;
        BufferedReader reader = new BufferedReader(
                new InputStreamReader(zipped ? new GZIPInputStream(start) : start, StandardCharsets.US_ASCII));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (count == labels.length) {
                pixels = Arrays.copyOf(pixels, pixels.length * 2);
                labels = Arrays.copyOf(labels, labels.length * 2);
            }
            labels[count] = parseLine(name, count + 1, line, pixels, count * PIXELS);
            count++;
        }
        if (count <= TEST_IMAGES) {
            throw unreadable(
                    name, "it holds " + count + " images, of which the last " + TEST_IMAGES + " are for testing", null);
        }
        return new DigitsData(Arrays.copyOf(pixels, count * PIXELS), Arrays.copyOf(labels, count));
    }

    private static byte parseLine(String name, int number, String line, float[] pixels, int at) {
        String[] cells = line.split(",", -1);
        if (cells.length != PIXELS + 1) {
            throw unreadable(name, "line " + number + " has " + cells.length + " cells instead of 65", null);
        }
        for (int i = 0; i < PIXELS; i++) {
            pixels[at + i] = number(name, number, cells[i], 16) / 16f;
        }
        return (byte) number(name, number, cells[PIXELS], CLASSES - 1);
    }

    private static int number(String name, int line, String cell, int largest) {
        int value = -1;
        try {
            value = Integer.parseInt(cell.strip());
        } catch (NumberFormatException e) {
            // reported below, as a number out of range is
        }
        if (value < 0 || value > largest) {
            throw unreadable(
                    name,
                    "line " + line + " has '" + cell + "' where a number from 0 to " + largest + " belongs",
                    null);
        }
        return value;
    }

    /** Copies an image's pixels. */
    void read(int image, float[] target, int at) {
        System.arraycopy(pixels, image * PIXELS, target, at, PIXELS);
    }

    /** How many images there are. */
    public int count() {
        return labels.length;
    }

    /** All but the last 297. */
    public DigitsData training() {
        return slice(0, count() - TEST_IMAGES);
    }

    /** The last 297. */
    public DigitsData testing() {
        return slice(count() - TEST_IMAGES, count());
    }

    private DigitsData slice(int from, int to) {
        return new DigitsData(
                Arrays.copyOfRange(pixels, from * PIXELS, to * PIXELS), Arrays.copyOfRange(labels, from, to));
    }
}
