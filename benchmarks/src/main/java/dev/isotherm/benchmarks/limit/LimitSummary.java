// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.limit;

import dev.isotherm.benchmarks.Measurements;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.PrintStream;
import java.util.Collection;
import java.util.Set;
import org.openjdk.jmh.results.RunResult;

/** The table of the cost of a decision about a limit beside its rivals. */
public final class LimitSummary {
    private static final double HOT = 2;
    private static final double SPREAD = 1.0 / 3;
    private static final double TWO_THREADS = 1.2;

    /** The others are the limiter's: what they allocate is judged. */
    private static final Set<String> RIVALS =
            Set.of("atomicLong", "concurrentHashMap", "oneThreadCounter", "twoThreadsCounters", "volatileField");

    private final Measurements measured;

    public LimitSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and judges it. */
    public void print(PrintStream out, Shortfalls shortfalls) {
        out.println("One decision about a partition's limit, ns in the fastest iteration and in the median one"
                + " (bytes allocated)");
        measured.names()
                .forEach(name -> out.printf(
                        "  %-28s %10.1f %10.1f %8s%n",
                        name,
                        measured.fastest(name),
                        measured.median(name),
                        String.format("(%.0f)", measured.bytes(name))));
        for (String offered : new String[] {"0.5", "2", "100"}) {
            ratio(
                    out,
                    shortfalls,
                    "hot, " + offered + " x the limit, over AtomicLong",
                    "bucket " + offered,
                    "atomicLong " + offered,
                    HOT);
        }
        ratio(out, shortfalls, "a million partitions, over ConcurrentHashMap", "bucket", "concurrentHashMap", SPREAD);
        ratio(out, shortfalls, "two threads on two partitions, over one", "twoThreads", "oneThread", TWO_THREADS);
        ratio(
                out,
                shortfalls,
                "(two threads on two AtomicLongs, over one)",
                "twoThreadsCounters",
                "oneThreadCounter",
                Double.MAX_VALUE);
        ratio(
                out,
                shortfalls,
                "(no table limited, over a volatile field)",
                "noTableLimited",
                "volatileField",
                Double.MAX_VALUE);
        for (String name : measured.names()) {
            if (!RIVALS.contains(name.split(" ")[0])) {
                shortfalls.noBytes(name, measured.bytes(name));
            }
        }
    }

    private void ratio(
            PrintStream out, Shortfalls shortfalls, String what, String ours, String rival, double promised) {
        double ratio = measured.fastest(ours) / measured.fastest(rival);
        out.printf("  %-56s %6.2f x%n", what, ratio);
        shortfalls.atMost(promised, ratio, String.format("%s: %.2f x, promised at most %.2f", what, ratio, promised));
    }
}
