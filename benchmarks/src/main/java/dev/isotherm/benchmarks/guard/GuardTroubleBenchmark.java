// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.guard;

import dev.isotherm.guard.ReadGuard;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The looks of the first two seconds in which a tenth of the nodes is avoided for late reads, and each is compared with
 * all others. Four reads are under way to each node; those to the avoided ones are answered after 0.3 s.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GuardTroubleBenchmark {
    private static final int LOOKS = 200;
    private static final int UNDER_WAY = 4;
    private static final int LOOKS_WELL = 300;
    private static final int LOOKS_UNTIL_AVOIDED = 100;
    private static final int LATE_BY_LOOKS = 30;
    private static final long MILLISECOND = 1_000_000;

    /** The nodes that this one reads from. */
    @Param({"30", "300", "1000"})
    private int offered;

    private ReadGuard<Integer> guard;
    private List<ArrayDeque<Long>> waiting;
    private long id;
    private long nowNanos;

    /** A guard for each invocation: what it compares depends on how long the nodes have been avoided. */
    @Setup(Level.Invocation)
    public void untilATenthIsAvoided() {
        guard = Unheard.guardOf(-1, nowNanos);
        waiting = new ArrayList<>();
        for (int node = 0; node < offered; node++) {
            waiting.add(new ArrayDeque<>());
        }
        for (int look = 0; look < LOOKS_WELL; look++) {
            readsOf(0);
            guard.look(nowNanos);
        }
        for (int look = 0; look < LOOKS_UNTIL_AVOIDED; look++) {
            readsOf(offered / 10);
            guard.look(nowNanos);
        }
        long avoided = guard.replicas().stream()
                .filter(node -> !"used".equals(guard.statusOf(node, nowNanos).state()))
                .count();
        if (avoided != offered / 10) {
            throw new AssertionError(avoided + " nodes are avoided");
        }
    }

    /** Each look, and before it what {@link #reads} does. */
    @Benchmark
    @OperationsPerInvocation(LOOKS)
    public long readsAndLook() {
        for (int look = 0; look < LOOKS; look++) {
            readsOf(offered / 10);
            guard.look(nowNanos);
        }
        return nowNanos;
    }

    /** The answers of all nodes, and the reads that are sent to them. */
    @Benchmark
    @OperationsPerInvocation(LOOKS)
    public long reads() {
        for (int look = 0; look < LOOKS; look++) {
            readsOf(offered / 10);
        }
        return id;
    }

    /** @param late so many of the nodes answer later */
    private void readsOf(int late) {
        nowNanos += ReadGuard.LOOK_NANOS;
        for (int node = 0; node < offered; node++) {
            ArrayDeque<Long> ids = waiting.get(node);
            int left = node < late ? UNDER_WAY * LATE_BY_LOOKS : 0;
            while (ids.size() > left) {
                guard.answered(node, ids.poll(), nowNanos - 8 * MILLISECOND);
            }
            for (int read = 0; read < UNDER_WAY; read++) {
                ids.add(++id);
                guard.sent(node, id, nowNanos - MILLISECOND);
            }
        }
    }
}
