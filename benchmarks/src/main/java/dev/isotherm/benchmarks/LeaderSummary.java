// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** What choosing the leader of a counter update costs, as a table, and where it falls short of what is promised. */
final class LeaderSummary {
    /** A decision with a short local queue is promised to cost at most this many times a random pick. */
    private static final double PROMISED_RATIO = 2;

    private final Map<String, RunResult> byBenchmark = new TreeMap<>();

    LeaderSummary(Collection<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            if (name.contains(".LeaderBenchmark.")) byBenchmark.put(name.substring(name.lastIndexOf('.') + 1), result);
        }
    }

    /** Prints the table and returns a sentence for each promise that was not kept. */
    List<String> print(PrintStream out) {
        out.println("One leader of three replicas, ns in the fastest iteration and in the median one (bytes allocated)");
        byBenchmark.forEach((name, result) ->
            out.printf("  %-28s %10.1f %10.1f (%.0f)%n", name, nanos(name), median(name), bytes(name)));
        List<String> shortfalls = new ArrayList<>();
        double ratio = nanos("leaderHere") / nanos("leaderAtRandom");
        out.printf("  a short queue here over a random pick: %.2f%n", ratio);
        if (ratio > PROMISED_RATIO)
            shortfalls.add(String.format("a leader here costs %.2f x a random pick, promised is %.0f", ratio, PROMISED_RATIO));
        for (String name : byBenchmark.keySet())
            // JMH divides what its own machinery allocates by the decisions: parts of a byte are not ours.
            if (bytes(name) >= 1) shortfalls.add(String.format("%s allocates %.1f bytes, promised are none", name, bytes(name)));
        return shortfalls;
    }

    /** The fastest iteration: what else runs on the machine only ever adds. */
    private double nanos(String benchmark) {
        return byBenchmark.get(benchmark).getPrimaryResult().getStatistics().getMin();
    }

    private double median(String benchmark) {
        return byBenchmark.get(benchmark).getPrimaryResult().getStatistics().getPercentile(50);
    }

    @SuppressWarnings("rawtypes") // JMH hands its secondary results out as raw types
    private double bytes(String benchmark) {
        for (Map.Entry<String, Result> secondary : byBenchmark.get(benchmark).getSecondaryResults().entrySet())
            if (secondary.getKey().endsWith("gc.alloc.rate.norm")) return secondary.getValue().getScore();
        throw new IllegalStateException("JMH's gc profiler reported no allocation for " + benchmark);
    }
}
