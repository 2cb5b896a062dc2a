// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.ReadPlan;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Builds the plan of one replica group, as after each change of heat; its shares must sum to one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RebuildBenchmark {
    @Param({"3,1", "3,2", "5,3", "9,5"})
    public String replicasAndContacts;

    private ReplicaGroup group;

    @Setup
    public void prepare() {
        group = new ReplicaGroup(replicasAndContacts, 1);
    }

    @Benchmark
    public ReadPlan rebuilt() {
        ReadPlan plan = ReadPlan.of(group.heats, group.k, group.self, BalanceSettings.defaults());
        double sum = 0;
        for (int i = 0; i < group.n; i++) {
            sum += plan.shareOf(i);
        }
        if (!(Math.abs(sum - 1) < 1e-12)) {
            throw new AssertionError("shares sum to " + sum);
        }
        return plan;
    }
}
