// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.guard;

import dev.isotherm.guard.ReadGuard;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the guard's thread does a hundred times a second: it looks at each node that this one reads from. Each has
 * answered a read since the last look, and another one is under way to it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GuardLookBenchmark {
    private static final long MILLISECOND = 1_000_000;

    /** The nodes that this one reads from. */
    @Param({"3", "30", "300", "1000"})
    private int offered;

    private ReadGuard<Integer> guard;
    private long[] waiting;
    private long id;
    private long nowNanos;

    @Setup
    public void prepare() {
        guard = Unheard.guardOf(-1, 0);
        waiting = new long[offered];
        for (int look = 0; look < 300; look++) {
            readsAndLook();
        }
        if (guard.replicas().size() != offered + 1 || !guard.avoided().isEmpty()) {
            throw new AssertionError("the guard does not watch all nodes, or avoids one");
        }
    }

    /** A look, and before it what {@link #reads} does. */
    @Benchmark
    public long readsAndLook() {
        reads();
        guard.look(nowNanos);
        return nowNanos;
    }

    /** An answer of each node, and a read that is sent to it. */
    @Benchmark
    public long reads() {
        nowNanos += ReadGuard.LOOK_NANOS;
        for (int node = 0; node < offered; node++) {
            guard.answered(node, waiting[node], nowNanos - 8 * MILLISECOND);
            waiting[node] = ++id;
            guard.sent(node, id, nowNanos - MILLISECOND);
        }
        return id;
    }
}
