// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.TimeValue;

/** Results as JMH hands them out, of benchmarks that are not run. */
public final class RunResults {
    private RunResults() {}

    /**
     * The results of some benchmarks of one class, without parameters.
     *
     * @param type the class's whole name
     * @param nanos what an operation of each method takes
     * @param bytes what an operation of each allocates
     */
    public static List<RunResult> of(String type, Map<String, Long> nanos, double bytes) {
        List<RunResult> results = new ArrayList<>();
        nanos.forEach((method, time) -> results.add(of(type + "." + method, Map.of(), time, bytes)));
        return results;
    }

    /**
     * The result of one iteration.
     *
     * @param name the benchmark's whole name
     * @param workload its parameters
     * @param nanos what an operation takes
     * @param bytes what an operation allocates
     */
    public static RunResult of(String name, Map<String, String> workload, long nanos, double bytes) {
        TimeValue second = TimeValue.seconds(1);
        IterationParams iterations = new IterationParams(IterationType.MEASUREMENT, 1, second, 1);
        WorkloadParams params = new WorkloadParams();
        workload.forEach((key, value) -> params.put(key, value, 0));
        List<String> none = List.of();
        BenchmarkParams benchmark = new BenchmarkParams(
                name,
                "",
                false,
                1,
                new int[] {1},
                none,
                1,
                0,
                iterations,
                iterations,
                Mode.AverageTime,
                params,
                TimeUnit.NANOSECONDS,
                1,
                "",
                none,
                "",
                "",
                "",
                "",
                second);
        IterationResult iteration = new IterationResult(benchmark, iterations, null);
        iteration.addResult(new AverageTimeResult(ResultRole.PRIMARY, name, 1, nanos, TimeUnit.NANOSECONDS));
        iteration.addResult(new ScalarResult("gc.alloc.rate.norm", bytes, "B/op", AggregationPolicy.AVG));
        return new RunResult(benchmark, List.of(new BenchmarkResult(benchmark, List.of(iteration))));
    }
}
