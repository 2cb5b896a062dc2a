// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.ReadPlan;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Orders the replicas of one read, by a plan and by the rival. Before anything is measured the two
 * must agree on every read; after each iteration a checksum over all measured reads must be right.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DrawBenchmark {
    @Param({"3,1", "3,2", "5,3", "9,5"})
    public String replicasAndContacts;

    private final Reads reads = new Reads(1);
    private ReplicaGroup group;
    private ReadPlan local;
    private ReadPlan affinity;
    private RecomputedDraw rival;
    private int[] into;
    private long drawn;
    private long checksum;
    private Orderer measured;

    /** One of the ways to order the replicas of the i-th read. */
    private interface Orderer {
        void order(int read);
    }

    @Setup
    public void prepare() {
        group = new ReplicaGroup(replicasAndContacts);
        local = group.plan(Placement.LOCAL);
        affinity = group.plan(Placement.AFFINITY);
        rival = new RecomputedDraw(group.n, group.k, group.self, BalanceSettings.defaults().missFloor());
        into = new int[group.n];
        for (int read = 0; read < Reads.COUNT; read++) {
            int expected = subset(this::orderByRival, read);
            if (subset(this::orderLocally, read) != expected)
                throw new AssertionError("plan and rival draw different replicas for u " + reads.us[read]);
            subset(this::orderByAffinity, read);
        }
    }

    /** The drawn replicas as bits; they must be different ones. */
    private int subset(Orderer orderer, int read) {
        orderer.order(read);
        int bits = 0;
        for (int position = 0; position < group.k; position++) bits |= 1 << into[position];
        if (Integer.bitCount(bits) != group.k) throw new AssertionError("a replica was drawn twice");
        return bits;
    }

    @Setup(Level.Iteration)
    public void begin() {
        drawn = 0;
        checksum = 0;
    }

    @TearDown(Level.Iteration)
    public void verify() {
        long expected = 0;
        long cycle = 0;
        for (int read = 0; read < Reads.COUNT; read++) {
            measured.order(read);
            cycle += sum();
            if (read < drawn % Reads.COUNT) expected += sum();
        }
        expected += drawn / Reads.COUNT * cycle;
        if (expected != checksum) throw new AssertionError("checksum " + checksum + " instead of " + expected);
    }

    @Benchmark
    public long planned() {
        if (measured == null) measured = this::orderLocally;
        orderLocally(next());
        return checksum += sum();
    }

    @Benchmark
    public long plannedAffinity() {
        if (measured == null) measured = this::orderByAffinity;
        orderByAffinity(next());
        return checksum += sum();
    }

    @Benchmark
    public long recomputed() {
        if (measured == null) measured = this::orderByRival;
        orderByRival(next());
        return checksum += sum();
    }

    private int next() {
        return (int) (drawn++ & (Reads.COUNT - 1));
    }

    private int sum() {
        return into[0] + 16 * into[group.k - 1] + 256 * into[group.n - 1];
    }

    private void orderLocally(int read) {
        local.order(reads.tokens[read], reads.us[read], reads.vs[read], into);
    }

    private void orderByAffinity(int read) {
        affinity.order(reads.tokens[read], reads.us[read], reads.vs[read], into);
    }

    private void orderByRival(int read) {
        rival.order(group.missRatios, reads.us[read], reads.vs[read], into);
    }
}
