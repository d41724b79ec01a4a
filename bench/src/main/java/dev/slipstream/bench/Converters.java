package dev.slipstream.bench;

import dev.slipstream.collectives.Strategy;
import dev.slipstream.kernels.EngineKind;
import dev.slipstream.scheduler.Compression;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How options become values; each says what it knows when it is given something else. */
final class Converters {
    private Converters() {}

    private interface Parser<T> {
        T parse(String text);
    }

    private static <T> T parse(String text, Parser<T> parser) {
        try {
            return parser.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** {@code auto}, {@code cpu}, {@code tornado} or {@code emulator}. */
    static final class Engine implements ITypeConverter<EngineKind> {
        @Override
        public EngineKind convert(String text) {
            return parse(text, EngineKind::parse);
        }
    }

    /** A name of {@link Strategy}. */
    static final class Strategies implements ITypeConverter<Strategy> {
        @Override
        public Strategy convert(String text) {
            return parse(text, Strategy::parse);
        }
    }

    /** What {@link Compression#parse} takes. */
    static final class Compressions implements ITypeConverter<Compression> {
        @Override
        public Compression convert(String text) {
            return parse(text, Compression::parse);
        }
    }

    /** Bytes: {@code 4}, {@code 64K}, {@code 25M}, {@code 1G}; binary multiples. */
    static final class Bytes implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            String upper = text.toUpperCase(Locale.ROOT);
            int unit = "KMG".indexOf(upper.isEmpty() ? ' ' : upper.charAt(upper.length() - 1));
            String digits = unit < 0 ? upper : upper.substring(0, upper.length() - 1);
            try {
                return Math.multiplyExact(Long.parseUnsignedLong(digits), 1L << (10 * (unit + 1)));
            } catch (NumberFormatException | ArithmeticException e) {
                throw new TypeConversionException("'" + text + "' is no size; write 4, 64K, 25M or 1G");
            }
        }
    }
}
