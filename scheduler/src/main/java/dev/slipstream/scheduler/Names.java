package dev.slipstream.scheduler;

import java.util.Collection;
import java.util.List;

/** How errors name parameters. */
final class Names {
    private static final int SHOWN = 20;

    private Names() {}

    /** {@code 'a', 'b' and 7 more}. */
    static String of(List<Parameter> parameters) {
        return list(parameters.stream().map(Parameter::name).toList());
    }

    /** {@code 'a', 'b' and 7 more}. */
    static String list(List<String> names) {
        int shown = Math.min(SHOWN, names.size());
        String text = "'" + String.join("', '", names.subList(0, shown)) + "'";
        return shown == names.size() ? text : text + " and " + (names.size() - shown) + " more";
    }

    /** {@code rank 1} or {@code ranks 0, 2 and 3}. */
    static String ranks(List<Integer> ranks) {
        if (ranks.size() == 1) {
            return "rank " + ranks.getFirst();
        }
        int shown = Math.min(SHOWN, ranks.size());
        StringBuilder text = new StringBuilder("ranks ");
        for (int i = 0; i < shown; i++) {
            String separator = i == 0 ? "" : i == ranks.size() - 1 ? " and " : ", ";
            text.append(separator).append(ranks.get(i));
        }
        return shown == ranks.size() ? text.toString() : text + " and " + (ranks.size() - shown) + " more";
    }

    /** The name that a mistyped one was probably meant to be, by edit distance. */
    static String nearest(String name, Collection<String> names) {
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (String candidate : names) {
            int distance = distance(name, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return previous[b.length()];
    }
}
