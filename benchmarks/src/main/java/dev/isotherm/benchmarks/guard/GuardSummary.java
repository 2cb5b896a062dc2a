// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.guard;

import dev.isotherm.benchmarks.Measurements;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.PrintStream;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;

/** The table of the cost of guarding a read. */
public final class GuardSummary {
    private static final String GUARD = "sentAndAnswered";
    private static final String RIVAL = "dynamicSnitchReceivesTiming";

    private final Measurements measured;

    public GuardSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and judges it. */
    public void print(PrintStream out, Shortfalls shortfalls) {
        out.println("One guarded read, ns in the fastest iteration and in the median one (bytes allocated)");
        measured.names()
                .forEach(name -> out.printf(
                        "  %-28s %10.1f %10.1f (%.0f)%n",
                        name, measured.fastest(name), measured.median(name), measured.bytes(name)));
        double ratio = measured.fastest(GUARD) / measured.fastest(RIVAL);
        out.printf("  a read noted and answered over the dynamic snitch's answer: %.2f%n", ratio);
        shortfalls.atMost(
                1,
                ratio,
                String.format(
                        "guarding a read takes %.2f x the dynamic snitch's work for it, promised is no more than 1",
                        ratio));
        for (String name : measured.names()) {
            if (!name.equals(RIVAL)) {
                shortfalls.noBytes(name, measured.bytes(name));
            }
        }
    }
}
