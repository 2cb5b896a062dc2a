// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import dev.isotherm.benchmarks.Measurements;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;

/** The table of the cost of ordering a read's replicas in Cassandra, and the broken promises. */
public final class OrderingSummary {
    private static final String PLUGIN = "isotherm";
    private static final String RIVAL = "dynamicEndpointSnitch";

    private final Measurements measured;

    public OrderingSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and returns a sentence for each broken promise. */
    public List<String> print(PrintStream out) {
        out.println("One order of three replicas in Cassandra, ns in the fastest iteration and in the median one");
        measured.names()
                .forEach(name ->
                        out.printf("  %-28s %10.1f %10.1f%n", name, measured.fastest(name), measured.median(name)));
        double ratio = measured.fastest(PLUGIN) / measured.fastest(RIVAL);
        out.printf("  the plugin's over the dynamic snitch's: %.2f%n", ratio);
        return ratio > 1
                ? List.of(String.format(
                        "the ordering takes %.2f x the dynamic snitch's, promised is no more than 1", ratio))
                : List.of();
    }
}
