// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.queue;

import dev.isotherm.benchmarks.Measurements;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;

/** The table of the cost of choosing a counter update's leader, and the broken promises. */
public final class LeaderSummary {
    /** The promise: a decision with a short local queue takes at most this many times as long as a random pick. */
    private static final double PROMISED_RATIO = 2;

    private final Measurements measured;

    public LeaderSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and returns a sentence for each broken promise. */
    public List<String> print(PrintStream out) {
        out.println(
                "One leader of three replicas, ns in the fastest iteration and in the median one (bytes allocated)");
        measured.names()
                .forEach(name -> out.printf(
                        "  %-28s %10.1f %10.1f (%.0f)%n",
                        name, measured.fastest(name), measured.median(name), measured.bytes(name)));
        List<String> shortfalls = new ArrayList<>();
        double ratio = measured.fastest("leaderHere") / measured.fastest("leaderAtRandom");
        out.printf("  a short queue here over a random pick: %.2f%n", ratio);
        if (ratio > PROMISED_RATIO) {
            shortfalls.add(
                    String.format("a leader here costs %.2f x a random pick, promised is %.0f", ratio, PROMISED_RATIO));
        }
        for (String name : measured.names()) {
            if (measured.bytes(name) >= 1) {
                shortfalls.add(String.format("%s allocates %.1f bytes, promised are none", name, measured.bytes(name)));
            }
        }
        return shortfalls;
    }
}
