// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs all benchmarks, writes JMH's JSON and prints what was measured as tables. */
public final class Main {
    private static final String USAGE = "usage: make bench [BENCH='[--quick] [--output FILE]']\n"
        + "  --quick        about a minute instead of about five: for a look, not for a comparison\n"
        + "  --output FILE  where JMH's JSON goes; default results/benchmarks/jmh.json";

    private Main() {}

    public static void main(String[] args) throws IOException, RunnerException {
        boolean quick = false;
        Path output = Path.of("results", "benchmarks", "jmh.json");
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--quick")) quick = true;
            else if (args[i].equals("--output") && i + 1 < args.length) output = Path.of(args[++i]);
            else {
                boolean help = args[i].equals("--help");
                (help ? System.out : System.err).println(help ? USAGE : "unknown or incomplete: " + args[i] + "\n" + USAGE);
                System.exit(help ? 0 : 2);
            }
        }
        if (output.toAbsolutePath().getParent() != null) Files.createDirectories(output.toAbsolutePath().getParent());
        Collection<RunResult> results = run(quick, output);
        System.out.println();
        List<String> shortfalls = new ArrayList<>(new Summary(of(results, true)).print(System.out));
        shortfalls.addAll(new OrderingSummary(of(results, false)).print(System.out));
        System.out.println("JMH's results: " + output);
        shortfalls.forEach(shortfall -> System.out.println("Short of what is promised: " + shortfall));
    }

    /** The results of the core's benchmarks, which have a parameter, or those of the ordering, which have none. */
    private static List<RunResult> of(Collection<RunResult> results, boolean core) {
        return results.stream()
            .filter(result -> result.getParams().getParamsKeys().isEmpty() != core)
            .collect(Collectors.toList());
    }

    private static Collection<RunResult> run(boolean quick, Path output) throws RunnerException {
        // Many short iterations: of these some are undisturbed on a busy machine too.
        TimeValue iteration = TimeValue.milliseconds(quick ? 100 : 200);
        return new Runner(new OptionsBuilder()
            .include("dev\\.isotherm\\..*")
            .forks(quick ? 1 : 2)
            .warmupIterations(5).warmupTime(iteration)
            .measurementIterations(quick ? 5 : 12).measurementTime(iteration)
            .jvmArgs("-Xmx256m", "-XX:+UseSerialGC")
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .resultFormat(ResultFormatType.JSON).result(output.toString())
            .build()).run();
    }
}
