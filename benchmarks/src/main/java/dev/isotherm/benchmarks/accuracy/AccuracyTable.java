// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every combination of limit, arrivals, load, kind and counter, and their rows as Markdown. */
final class AccuracyTable {
    private static final int[] LIMITS = {1, 10, 100, 1_000, 10_000};
    private static final double[] OFFERED = {0.5, 0.9, 1.2, 2, 5, 10, 100, 1_000};
    private static final Kind[] KINDS = {Kind.WRITE, Kind.READ_QUORUM};

    private AccuracyTable() {}

    static List<Scenario> scenarios() {
        List<Scenario> all = new ArrayList<>();
        for (Counter counter : Counter.values()) {
            for (Kind kind : KINDS) {
                for (int limit : LIMITS) {
                    for (Arrivals arrivals : Arrivals.values()) {
                        for (double offered : OFFERED) {
                            all.add(new Scenario(limit, arrivals, offered, kind, counter));
                        }
                    }
                }
            }
        }
        return all;
    }

    /** A table for each counter and kind: a line for each limit and kind of arrivals, a column for each load. */
    static void print(List<Row> rows, PrintStream out) {
        for (Counter counter : Counter.values()) {
            for (Kind kind : KINDS) {
                print(rows, counter, kind, out);
            }
        }
    }

    private static void print(List<Row> rows, Counter counter, Kind kind, PrintStream out) {
        out.printf(
                "%nCounter %s, %s: admitted in the steady state / in the first second, in multiples of the limit%n%n",
                lower(counter), lower(kind).replace('_', ' '));
        StringBuilder head = new StringBuilder("| limit | arrivals |");
        StringBuilder rule = new StringBuilder("|---|---|");
        for (double offered : OFFERED) {
            head.append(String.format(
                    Locale.ROOT, " %s x |", offered == Math.rint(offered) ? "" + (int) offered : "" + offered));
            rule.append("---|");
        }
        out.println(head);
        out.println(rule);
        for (int limit : LIMITS) {
            for (Arrivals arrivals : Arrivals.values()) {
                out.printf("| %,d | %s |", limit, lower(arrivals));
                for (Row row : rows) {
                    if (row.scenario.counter == counter
                            && row.scenario.kind == kind
                            && row.scenario.limit == limit
                            && row.scenario.arrivals == arrivals) {
                        out.printf(Locale.ROOT, " %.3f / %.2f |", row.steady, row.firstSecond);
                    }
                }
                out.println();
            }
        }
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
