// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** The tables of the cost of a read's draw, of a plan and of a report, and the broken promises. */
public final class PlanSummary {
    /** The promise: a planned draw is this many times as fast as a draw that recomputes shares and matrix. */
    private static final double PROMISED_RATIO = 15;
    /** The same beside the rival that allocates nothing and computes only its own row. */
    private static final double PROMISED_RATIO_REUSING = 10;

    private final Map<String, Map<String, RunResult>> byBenchmark = new TreeMap<>();

    public PlanSummary(Collection<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            String param = result.getParams()
                    .getParam(result.getParams().getParamsKeys().iterator().next());
            byBenchmark
                    .computeIfAbsent(name.substring(name.lastIndexOf('.') + 1), n -> new TreeMap<>())
                    .put(param, result);
        }
    }

    /** Prints the tables and returns a sentence for each broken promise. */
    public List<String> print(PrintStream out) {
        List<String> shortfalls = new ArrayList<>();
        out.printf(
                "%s %s on %s, %d processors%n%n",
                System.getProperty("java.vm.name"),
                System.getProperty("java.version"),
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors());
        out.println("One read, ns in the fastest iteration (bytes allocated)");
        out.printf(
                "  %-12s %16s %18s %14s %8s %20s %8s%n",
                "", "planned, local", "planned, affinity", "recomputed", "ratio", "with reused arrays", "ratio");
        for (String group : measured("planned").keySet()) {
            double ratio = nanos("recomputed", group) / nanos("planned", group);
            double ratioReusing = nanos("recomputedReusing", group) / nanos("planned", group);
            double bytes = Math.max(bytes("planned", group), bytes("plannedAffinity", group));
            out.printf(
                    "  N,K = %-6s %16s %18s %14s %7.1fx %20s %7.1fx%n",
                    group,
                    cell("planned", group),
                    cell("plannedAffinity", group),
                    cell("recomputed", group),
                    ratio,
                    cell("recomputedReusing", group),
                    ratioReusing);
            judge(shortfalls, group, "one that recomputes", ratio, PROMISED_RATIO);
            judge(shortfalls, group, "one that does with reused arrays", ratioReusing, PROMISED_RATIO_REUSING);
            // JMH includes the allocations of its own machinery: fractions of a byte come from JMH.
            if (bytes >= 1) {
                shortfalls.add(String.format("N,K = %s: a draw allocates %.1f bytes, promised are none", group, bytes));
            }
        }
        table(out, "One plan built, ns (bytes allocated)", "rebuilt", "N,K = ");
        table(out, "One report read, ns (bytes allocated)", "decoded", "tables: ");
        return shortfalls;
    }

    private static void judge(List<String> shortfalls, String group, String rival, double ratio, double promised) {
        // NaN where the rival was not run: nothing is promised beside it.
        if (ratio < promised) {
            shortfalls.add(String.format(
                    "N,K = %s: a draw is %.1f x cheaper than %s, promised are %.0f x", group, ratio, rival, promised));
        }
    }

    private void table(PrintStream out, String title, String benchmark, String label) {
        out.println(title);
        for (String param : measured(benchmark).keySet()) {
            out.printf("  %-28s %16s%n", label + param, cell(benchmark, param));
        }
    }

    private String cell(String benchmark, String param) {
        return String.format("%.1f (%.0f)", nanos(benchmark, param), bytes(benchmark, param));
    }

    /** The results by their parameter; empty for a benchmark that was not run. */
    private Map<String, RunResult> measured(String benchmark) {
        return byBenchmark.getOrDefault(benchmark, Map.of());
    }

    /**
     * The fastest iteration: other load on the machine can only add time. JMH's file has all iterations. NaN for what
     * was not run.
     */
    private double nanos(String benchmark, String param) {
        RunResult result = measured(benchmark).get(param);
        return result == null
                ? Double.NaN
                : result.getPrimaryResult().getStatistics().getMin();
    }

    @SuppressWarnings("rawtypes") // JMH hands its secondary results out as raw types
    private double bytes(String benchmark, String param) {
        RunResult result = measured(benchmark).get(param);
        if (result == null) {
            return Double.NaN;
        }
        for (Map.Entry<String, Result> secondary : result.getSecondaryResults().entrySet()) {
            if (secondary.getKey().endsWith("gc.alloc.rate.norm")) {
                return secondary.getValue().getScore();
            }
        }
        throw new IllegalStateException("JMH's gc profiler reported no allocation for " + benchmark + " " + param);
    }
}
