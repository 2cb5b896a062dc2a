// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.openjdk.jmh.results.RunResult;

/** What ordering the replicas of a read costs in Cassandra, as a table, and where it falls short of what is promised. */
final class OrderingSummary {
    private static final String PLUGIN = "isotherm";
    private static final String RIVAL = "dynamicEndpointSnitch";

    private final Map<String, RunResult> byBenchmark = new TreeMap<>();

    OrderingSummary(Collection<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            byBenchmark.put(name.substring(name.lastIndexOf('.') + 1), result);
        }
    }

    /** Prints the table and returns a sentence for each promise that was not kept. */
    List<String> print(PrintStream out) {
        out.println("One order of three replicas in Cassandra, ns in the fastest iteration and in the median one");
        byBenchmark.forEach((name, result) ->
            out.printf("  %-28s %10.1f %10.1f%n", name, fastest(name), median(name)));
        double ratio = fastest(PLUGIN) / fastest(RIVAL);
        out.printf("  the plugin's over the dynamic snitch's: %.2f%n", ratio);
        return ratio <= 1
            ? List.of()
            : List.of(String.format("the ordering takes %.2f x the dynamic snitch's, promised is no more than 1", ratio));
    }

    /** The fastest iteration: what else runs on the machine only ever adds. */
    private double fastest(String name) {
        return byBenchmark.get(name).getPrimaryResult().getStatistics().getMin();
    }

    private double median(String name) {
        return byBenchmark.get(name).getPrimaryResult().getStatistics().getPercentile(50);
    }
}
