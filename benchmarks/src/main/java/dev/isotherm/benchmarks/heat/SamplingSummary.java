// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import dev.isotherm.benchmarks.Measurements;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.PrintStream;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;

/** The table of what the sampling of disk reads adds to a read. */
public final class SamplingSummary {
    private static final String UNSAMPLED = "unsampled";
    private static final double MOST_NANOS = 100;

    private final Measurements measured;

    public SamplingSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and judges it. */
    public void print(PrintStream out, Shortfalls shortfalls) {
        out.println("The sampling of disk reads, ns a read in the fastest iteration and in the median one"
                + " (bytes allocated)");
        for (String name : measured.names()) {
            out.printf(
                    "  %-28s %10.1f %10.1f (%.0f)%n",
                    name, measured.fastest(name), measured.median(name), measured.bytes(name));
            shortfalls.noBytes(name, measured.bytes(name));
        }
        double unsampled = measured.fastest(UNSAMPLED);
        shortfalls.atMost(
                MOST_NANOS,
                unsampled,
                String.format(
                        "a read that is not sampled takes %.0f ns more, promised are %.0f", unsampled, MOST_NANOS));
    }
}
