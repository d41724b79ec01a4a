package dev.slipstream.scheduler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the first difference between the ranks' descriptions, and says who holds what. */
final class Difference {
    private Difference() {}

    /** One sentence and a remedy; the same on every rank, since it depends on the descriptions only. */
    static String describe(List<Description> ranks) {
        for (int rank = 0; rank < ranks.size(); rank++) {
            if (!ranks.get(rank).problem().isEmpty()) {
                return "Rank " + rank + " cannot take part: " + ranks.get(rank).problem();
            }
        }
        String setting = setting(ranks);
        return setting != null ? setting : parameter(ranks);
    }

    private static @Nullable String setting(List<Description> ranks) {
        for (int i = 0; i < ranks.getFirst().settings().size(); i++) {
            int index = i;
            Map<String, List<Integer>> groups =
                    group(ranks, rank -> rank.settings().get(index).value());
            if (groups.size() > 1) {
                return "The ranks are configured differently: "
                        + ranks.getFirst().settings().get(i).name() + " is " + show(groups) + ".";
            }
        }
        return null;
    }

    private static String parameter(List<Description> ranks) {
        for (int i = 0; ; i++) {
            int index = i;
            Function<Description, String> entry =
                    rank -> index < rank.parameters().size()
                            ? rank.parameters().get(index).toString()
                            : "the end of the list";
            Map<String, List<Integer>> groups = group(ranks, entry);
            if (groups.size() == 1) {
                continue;
            }
            for (Description rank : ranks) {
                if (index < rank.parameters().size()) {
                    String found = about(rank.parameters().get(index).name(), ranks);
                    if (found != null) {
                        return found;
                    }
                }
            }
            return "The ranks register their parameters in different orders: parameter " + i + " is " + show(groups)
                    + ". Register them in the same order on every rank.";
        }
    }

    /** What is wrong with one parameter: some ranks lack it, or it differs; null when neither. */
    private static @Nullable String about(String name, List<Description> ranks) {
        Map<String, List<Integer>> groups = group(ranks, rank -> {
            Parameter parameter = find(rank, name);
            return parameter == null ? "" : parameter.toString();
        });
        List<Integer> without = groups.remove("");
        if (without != null) {
            List<Integer> with = new ArrayList<>();
            groups.values().forEach(with::addAll);
            with.sort(null);
            return "Parameter " + groups.keySet().iterator().next() + " is registered on " + Names.ranks(with)
                    + ", but not on " + Names.ranks(without) + ". Register the same parameters on every rank.";
        }
        return groups.size() == 1
                ? null
                : "A parameter differs between the ranks: it is " + show(groups)
                        + ". Register the same parameters on every rank.";
    }

    private static @Nullable Parameter find(Description rank, String name) {
        for (Parameter parameter : rank.parameters()) {
            if (parameter.name().equals(name)) {
                return parameter;
            }
        }
        return null;
    }

    private static Map<String, List<Integer>> group(List<Description> ranks, Function<Description, String> value) {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            groups.computeIfAbsent(value.apply(ranks.get(rank)), key -> new ArrayList<>())
                    .add(rank);
        }
        return groups;
    }

    private static String show(Map<String, List<Integer>> groups) {
        List<String> parts = new ArrayList<>();
        groups.forEach((value, ranks) -> parts.add(value + " on " + Names.ranks(ranks)));
        return String.join(", but ", parts);
    }
}
