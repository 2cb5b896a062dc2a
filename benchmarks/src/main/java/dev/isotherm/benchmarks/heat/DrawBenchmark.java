// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.ReadPlan;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Orders the replicas of one read out of 16 replica groups, by the group's plan and by the rival. Before the
 * measurement every read must draw different replicas, and the plan and the rival must draw each replica of a group
 * equally often, within chance. Every pass over the reads must end with the right checksum.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DrawBenchmark {
    @Param({"3,1", "3,2", "5,3", "9,5"})
    public String replicasAndContacts;

    private final Reads reads = new Reads(1);
    private final ReplicaGroup[] groups = new ReplicaGroup[Reads.GROUPS];
    private final ReadPlan[] local = new ReadPlan[Reads.GROUPS];
    private final ReadPlan[] affinity = new ReadPlan[Reads.GROUPS];
    private int n;
    private int k;
    private final double missFloor = BalanceSettings.defaults().missFloor();
    private RecomputedDraw reused;
    private int[] into;
    private long plannedSum;
    private long affinitySum;
    private long recomputedSum;

    @Setup
    public void prepare() {
        for (int i = 0; i < Reads.GROUPS; i++) {
            groups[i] = new ReplicaGroup(replicasAndContacts, i);
            local[i] = groups[i].plan(Placement.LOCAL);
            affinity[i] = groups[i].plan(Placement.AFFINITY);
        }
        n = groups[0].n;
        k = groups[0].k;
        reused = new RecomputedDraw(n, k, missFloor);
        into = new int[n];
        int[][] surplus = new int[Reads.GROUPS][n];
        int[] readsOf = new int[Reads.GROUPS];
        for (int read = 0; read < Reads.COUNT; read++) {
            int group = reads.groups[read];
            readsOf[group]++;
            orderLocally(read);
            count(subset(), surplus[group], 1);
            plannedSum += sum();
            orderByRival(read);
            count(subset(), surplus[group], -1);
            recomputedSum += sum();
            orderByAffinity(read);
            subset();
            affinitySum += sum();
        }
        for (int group = 0; group < Reads.GROUPS; group++) {
            // Five standard deviations of the difference of two counts, each of at most readsOf / 4 variance.
            double allowed = 5 * Math.sqrt(readsOf[group] / 2.0);
            for (int difference : surplus[group]) {
                if (Math.abs(difference) > allowed) {
                    throw new AssertionError("plan and rival draw a replica " + difference + " times apart");
                }
            }
        }
    }

    private static void count(int subset, int[] counts, int by) {
        for (int i = 0; i < counts.length; i++) {
            if ((subset & 1 << i) != 0) {
                counts[i] += by;
            }
        }
    }

    /** The drawn replicas as bits; they must differ. */
    private int subset() {
        int bits = 0;
        for (int position = 0; position < k; position++) {
            bits |= 1 << into[position];
        }
        if (Integer.bitCount(bits) != k) {
            throw new AssertionError("a replica was drawn twice");
        }
        return bits;
    }

    @Benchmark
    @OperationsPerInvocation(Reads.COUNT)
    public long planned() {
        long sum = 0;
        for (int read = 0; read < Reads.COUNT; read++) {
            orderLocally(read);
            sum += sum();
        }
        return checked(sum, plannedSum);
    }

    @Benchmark
    @OperationsPerInvocation(Reads.COUNT)
    public long plannedAffinity() {
        long sum = 0;
        for (int read = 0; read < Reads.COUNT; read++) {
            orderByAffinity(read);
            sum += sum();
        }
        return checked(sum, affinitySum);
    }

    @Benchmark
    @OperationsPerInvocation(Reads.COUNT)
    public long recomputed() {
        long sum = 0;
        for (int read = 0; read < Reads.COUNT; read++) {
            orderByRival(read);
            sum += sum();
        }
        return checked(sum, recomputedSum);
    }

    @Benchmark
    @OperationsPerInvocation(Reads.COUNT)
    public long recomputedReusing() {
        long sum = 0;
        for (int read = 0; read < Reads.COUNT; read++) {
            orderByReusingRival(read);
            sum += sum();
        }
        return checked(sum, recomputedSum);
    }

    private static long checked(long sum, long expected) {
        if (sum != expected) {
            throw new AssertionError("checksum " + sum + " instead of " + expected);
        }
        return sum;
    }

    private int sum() {
        return into[0] + 16 * into[n - 1];
    }

    private void orderLocally(int read) {
        local[reads.groups[read]].order(reads.tokens[read], reads.us[read], reads.vs[read], into);
    }

    private void orderByAffinity(int read) {
        affinity[reads.groups[read]].order(reads.tokens[read], reads.us[read], reads.vs[read], into);
    }

    /** Computes the shares, the whole matrix and a sample from the miss ratios alone. */
    private void orderByRival(int read) {
        ReplicaGroup group = groups[reads.groups[read]];
        new RecomputedDraw(n, k, missFloor)
                .order(group.missRatios, group.self, n, reads.us[read], reads.vs[read], into);
    }

    /** Computes as little as possible, with arrays kept between reads. */
    private void orderByReusingRival(int read) {
        ReplicaGroup group = groups[reads.groups[read]];
        reused.order(group.missRatios, group.self, group.self + 1, reads.us[read], reads.vs[read], into);
    }
}
