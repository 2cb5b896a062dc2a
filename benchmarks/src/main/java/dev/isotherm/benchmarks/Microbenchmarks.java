// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import dev.isotherm.benchmarks.guard.GuardSummary;
import dev.isotherm.benchmarks.guard.LookSummary;
import dev.isotherm.benchmarks.heat.OrderingSummary;
import dev.isotherm.benchmarks.heat.PlanSummary;
import dev.isotherm.benchmarks.heat.SamplingSummary;
import dev.isotherm.benchmarks.limit.LimitSummary;
import dev.isotherm.benchmarks.queue.LeaderSummary;
import dev.isotherm.benchmarks.share.FairShareSummary;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs JMH benchmarks, writes JMH's JSON and prints the measurements as tables. */
final class Microbenchmarks {
    private final String only;
    private final boolean quick;
    private final Path output;

    /**
     * @param only a part of the names of those that are run; empty for all
     * @param quick whether they are run briefly, for a look
     * @param output where JMH's JSON goes
     */
    Microbenchmarks(String only, boolean quick, Path output) {
        this.only = only;
        this.quick = quick;
        this.output = output;
    }

    /** Returns a sentence for each broken promise that no load of the machine excuses. */
    List<String> run(PrintStream out) throws IOException, RunnerException {
        if (output.toAbsolutePath().getParent() != null) {
            Files.createDirectories(output.toAbsolutePath().getParent());
        }
        Collection<RunResult> results = measure();
        out.println();
        List<String> broken = report(results, only.isEmpty(), out);
        out.println("JMH's results: " + output);
        return broken;
    }

    /**
     * Prints the results as tables, and what is too slow.
     *
     * @param isWhole whether all benchmarks were to run
     * @return a sentence for each broken promise that no load of the machine excuses
     */
    static List<String> report(Collection<RunResult> results, boolean isWhole, PrintStream out) {
        Shortfalls shortfalls = new Shortfalls(isWhole);
        Map<String, Consumer<Collection<RunResult>>> tables = new LinkedHashMap<>();
        tables.put(".benchmarks.heat.", measured -> new PlanSummary(measured).print(out, shortfalls));
        tables.put(".OrderingBenchmark.", measured -> new OrderingSummary(measured).print(out, shortfalls));
        tables.put(".DiskSamplingBenchmark.", measured -> new SamplingSummary(measured).print(out, shortfalls));
        tables.put(".limit.", measured -> new LimitSummary(measured).print(out, shortfalls));
        tables.put(".share.", measured -> new FairShareSummary(measured).print(out, shortfalls));
        tables.put(".queue.", measured -> new LeaderSummary(measured).print(out, shortfalls));
        tables.put(".GuardBenchmark.", measured -> new GuardSummary(measured).print(out, shortfalls));
        tables.put(".GuardLookBenchmark.", measured -> LookSummary.whileAllIsWell(measured)
                .print(out, shortfalls));
        tables.put(".GuardTroubleBenchmark.", measured -> LookSummary.whileATenthIsLate(measured)
                .print(out, shortfalls));
        tables.forEach((part, table) -> {
            List<RunResult> measured = of(results, part);
            if (!measured.isEmpty()) {
                table.accept(measured);
            } else {
                shortfalls.missing("no benchmark has " + part + " in its name");
            }
        });
        shortfalls.slow().forEach(sentence -> out.println("Short of what is promised: " + sentence));
        return shortfalls.broken();
    }

    /** The results of the benchmarks whose name contains this part, such as a package. */
    private static List<RunResult> of(Collection<RunResult> results, String part) {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().contains(part))
                .collect(Collectors.toList());
    }

    private Collection<RunResult> measure() throws RunnerException {
        // Many short iterations: on a busy machine some of them are undisturbed.
        TimeValue iteration = TimeValue.milliseconds(quick ? 100 : 200);
        return new Runner(new OptionsBuilder()
                        .include("dev\\.isotherm\\..*" + Pattern.quote(only))
                        .forks(quick ? 1 : 2)
                        .warmupIterations(5)
                        .warmupTime(iteration)
                        .measurementIterations(quick ? 5 : 12)
                        .measurementTime(iteration)
                        .jvmArgs("-Xmx256m", "-XX:+UseSerialGC")
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .resultFormat(ResultFormatType.JSON)
                        .result(output.toString())
                        .build())
                .run();
    }
}
