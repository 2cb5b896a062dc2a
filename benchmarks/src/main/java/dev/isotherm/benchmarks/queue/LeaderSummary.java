// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.queue;

import dev.isotherm.benchmarks.Measurements;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.PrintStream;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;

/** The table of the cost of choosing a counter update's leader. */
public final class LeaderSummary {
    /** The promise: a decision with a short local queue takes at most this many times as long as a random pick. */
    private static final double PROMISED_RATIO = 2;

    private final Measurements measured;

    public LeaderSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and judges it. */
    public void print(PrintStream out, Shortfalls shortfalls) {
        out.println(
                "One leader of three replicas, ns in the fastest iteration and in the median one (bytes allocated)");
        measured.names()
                .forEach(name -> out.printf(
                        "  %-28s %10.1f %10.1f (%.0f)%n",
                        name, measured.fastest(name), measured.median(name), measured.bytes(name)));
        double ratio = measured.fastest("leaderHere") / measured.fastest("leaderAtRandom");
        out.printf("  a short queue here over a random pick: %.2f%n", ratio);
        shortfalls.atMost(
                PROMISED_RATIO,
                ratio,
                String.format("a leader here costs %.2f x a random pick, promised is %.0f", ratio, PROMISED_RATIO));
        measured.names().forEach(name -> shortfalls.noBytes(name, measured.bytes(name)));
    }
}
