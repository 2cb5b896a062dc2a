// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs all of JMH's benchmarks, writes JMH's JSON and prints what was measured as tables. */
final class Microbenchmarks {
    private final boolean quick;
    private final Path output;

    Microbenchmarks(boolean quick, Path output) {
        this.quick = quick;
        this.output = output;
    }

    void run(PrintStream out) throws IOException, RunnerException {
        if (output.toAbsolutePath().getParent() != null) {
            Files.createDirectories(output.toAbsolutePath().getParent());
        }
        Collection<RunResult> results = measure();
        out.println();
        List<String> shortfalls = new ArrayList<>(new Summary(of(results, Microbenchmarks::isOfPlans)).print(out));
        shortfalls.addAll(new OrderingSummary(of(results, name -> name.contains("Ordering"))).print(out));
        shortfalls.addAll(new LimitSummary(of(results, name -> name.contains(".limit."))).print(out));
        shortfalls.addAll(new LeaderSummary(of(results, name -> name.contains(".LeaderBenchmark."))).print(out));
        out.println("JMH's results: " + output);
        shortfalls.forEach(shortfall -> out.println("Short of what is promised: " + shortfall));
    }

    /** Whether a benchmark is one of draws, rebuilding and decoding. */
    private static boolean isOfPlans(String benchmark) {
        return benchmark.startsWith(Microbenchmarks.class.getPackageName() + ".")
                && !benchmark.contains(".limit.")
                && !benchmark.contains(".LeaderBenchmark.");
    }

    private static List<RunResult> of(Collection<RunResult> results, Predicate<String> names) {
        return results.stream()
                .filter(result -> names.test(result.getParams().getBenchmark()))
                .collect(Collectors.toList());
    }

    private Collection<RunResult> measure() throws RunnerException {
        // Many short iterations: of these some are undisturbed on a busy machine too.
        TimeValue iteration = TimeValue.milliseconds(quick ? 100 : 200);
        return new Runner(new OptionsBuilder()
                        .include("dev\\.isotherm\\..*")
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
