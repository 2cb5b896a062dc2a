// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import dev.isotherm.benchmarks.Measurements;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;

/** The table of the cost of ordering a read's replicas in Cassandra. */
public final class OrderingSummary {
    private static final List<String> PLUGIN = List.of("isothermLocal", "isothermAffinity");
    private static final String RIVAL = "dynamicEndpointSnitch";

    private final Measurements measured;

    public OrderingSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and judges it. */
    public void print(PrintStream out, Shortfalls shortfalls) {
        out.println("One order of three replicas in Cassandra, ns in the fastest iteration and in the median one"
                + " (bytes allocated)");
        measured.names()
                .forEach(name -> out.printf(
                        "  %-28s %10.1f %10.1f (%.0f)%n",
                        name, measured.fastest(name), measured.median(name), measured.bytes(name)));
        for (String plugin : PLUGIN) {
            double ratio = measured.fastest(plugin) / measured.fastest(RIVAL);
            out.printf("  %s over the dynamic snitch: %.2f%n", plugin, ratio);
            shortfalls.atMost(
                    1,
                    ratio,
                    String.format(
                            "%s takes %.2f x the dynamic snitch's order, promised is no more than 1", plugin, ratio));
            // None is not possible: the order is a new list of Cassandra's.
            shortfalls.bytesAtMost(
                    measured.bytes(RIVAL),
                    measured.bytes(plugin),
                    String.format(
                            "%s allocates %.1f bytes, promised are no more than the dynamic snitch's %.1f",
                            plugin, measured.bytes(plugin), measured.bytes(RIVAL)));
        }
    }
}
