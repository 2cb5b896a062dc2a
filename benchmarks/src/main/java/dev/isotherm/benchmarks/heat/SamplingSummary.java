// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import dev.isotherm.benchmarks.Measurements;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;

/** The table of what the sampling of disk reads adds to a read, and the broken promises. */
public final class SamplingSummary {
    private static final String UNSAMPLED = "unsampled";
    private static final double MOST_NANOS = 100;

    private final Measurements measured;

    public SamplingSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and returns a sentence for each broken promise. */
    public List<String> print(PrintStream out) {
        out.println("The sampling of disk reads, ns a read in the fastest iteration and in the median one");
        measured.names()
                .forEach(name ->
                        out.printf("  %-28s %10.1f %10.1f%n", name, measured.fastest(name), measured.median(name)));
        double unsampled = measured.fastest(UNSAMPLED);
        return unsampled > MOST_NANOS
                ? List.of(String.format(
                        "a read that is not sampled takes %.0f ns more, promised are %.0f", unsampled, MOST_NANOS))
                : List.of();
    }
}
