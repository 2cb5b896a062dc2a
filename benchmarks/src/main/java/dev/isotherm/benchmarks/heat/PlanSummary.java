// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import dev.isotherm.benchmarks.Shortfalls;
import java.io.PrintStream;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** The tables of the cost of a read's draw, of a plan and of a report. */
public final class PlanSummary {
    /** The promise: a planned draw is this many times as fast as a draw that recomputes shares and matrix. */
    private static final double PROMISED_RATIO = 15;
    /** The same beside the rival that allocates nothing and computes only its own row. */
    private static final double PROMISED_RATIO_REUSING = 10;

    private static final Set<String> DRAWS = Set.of("planned", "plannedAffinity", "recomputed", "recomputedReusing");

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

    /** Prints the tables and judges them. */
    public void print(PrintStream out, Shortfalls shortfalls) {
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
        Set<String> groups = new TreeSet<>();
        DRAWS.forEach(benchmark -> groups.addAll(measured(benchmark).keySet()));
        if (groups.isEmpty()) {
            shortfalls.missing("not measured: one read's draw");
        }
        for (String group : groups) {
            double ratio = nanos("recomputed", group) / nanos("planned", group);
            double ratioReusing = nanos("recomputedReusing", group) / nanos("planned", group);
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
            shortfalls.noBytes("N,K = " + group + ": a draw", bytes("planned", group));
            shortfalls.noBytes("N,K = " + group + ": a draw under affinity", bytes("plannedAffinity", group));
        }
        table(out, "One plan built, ns (bytes allocated)", "rebuilt", "N,K = ");
        table(out, "One report read, ns (bytes allocated)", "decoded", "tables: ");
    }

    private static void judge(Shortfalls shortfalls, String group, String rival, double ratio, double promised) {
        shortfalls.atLeast(
                promised,
                ratio,
                String.format(
                        "N,K = %s: a draw is %.1f x cheaper than %s, promised are %.0f x",
                        group, ratio, rival, promised));
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
