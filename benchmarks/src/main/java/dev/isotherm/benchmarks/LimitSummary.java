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

/** What a decision about a limit costs beside its rivals, as a table, and where it falls short of what is promised. */
final class LimitSummary {
    private static final double HOT = 2;
    private static final double SPREAD = 1.0 / 3;
    private static final double TWO_THREADS = 1.2;

    private final Map<String, RunResult> byBenchmark = new TreeMap<>();
    private final List<String> shortfalls = new ArrayList<>();

    LimitSummary(Collection<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            String offered = result.getParams().getParam("offered");
            byBenchmark.put(name.substring(name.lastIndexOf('.') + 1) + (offered == null ? "" : " " + offered), result);
        }
    }

    /** Prints the table and returns a sentence for each promise that was not kept. */
    List<String> print(PrintStream out) {
        out.println("One decision about a partition's limit, ns in the fastest iteration and in the median one (bytes allocated)");
        byBenchmark.forEach((name, result) ->
            out.printf("  %-28s %10.1f %10.1f %8s%n", name, fastest(name), median(name), String.format("(%.0f)", bytes(name))));
        for (String offered : new String[] {"0.5", "2", "100"})
            ratio(out, "hot, " + offered + " x the limit, over AtomicLong", "bucket " + offered, "atomicLong " + offered, HOT);
        ratio(out, "a million partitions, over ConcurrentHashMap", "bucket", "concurrentHashMap", SPREAD);
        ratio(out, "two threads on two partitions, over one", "twoThreads", "oneThread", TWO_THREADS);
        ratio(out, "(two threads on two AtomicLongs, over one)", "twoThreadsCounters", "oneThreadCounter", Double.MAX_VALUE);
        ratio(out, "(no table limited, over a volatile field)", "noTableLimited", "volatileField", Double.MAX_VALUE);
        for (String name : byBenchmark.keySet())
            // JMH divides what its own machinery allocates by the decisions: parts of a byte are not ours.
            if ((name.startsWith("bucket") || name.endsWith("Thread") || name.endsWith("Limited")) && bytes(name) >= 1)
                shortfalls.add(String.format("%s allocates %.1f bytes, promised are none", name, bytes(name)));
        return shortfalls;
    }

    private void ratio(PrintStream out, String what, String ours, String rival, double promised) {
        double ratio = fastest(ours) / fastest(rival);
        out.printf("  %-56s %6.2f x%n", what, ratio);
        if (ratio > promised) shortfalls.add(String.format("%s: %.2f x, promised at most %.2f", what, ratio, promised));
    }

    /** The fastest iteration: what else runs on the machine only ever adds. */
    private double fastest(String name) {
        return byBenchmark.get(name).getPrimaryResult().getStatistics().getMin();
    }

    private double median(String name) {
        return byBenchmark.get(name).getPrimaryResult().getStatistics().getPercentile(50);
    }

    @SuppressWarnings("rawtypes") // JMH hands its secondary results out as raw types
    private double bytes(String name) {
        for (Map.Entry<String, Result> secondary : byBenchmark.get(name).getSecondaryResults().entrySet())
            if (secondary.getKey().endsWith("gc.alloc.rate.norm")) return secondary.getValue().getScore();
        throw new IllegalStateException("JMH's gc profiler reported no allocation for " + name);
    }
}
