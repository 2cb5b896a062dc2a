// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.limit;

import dev.isotherm.limit.BucketLimiter;
import dev.isotherm.limit.Operation;
import dev.isotherm.limit.PartitionId;
import dev.isotherm.limit.PartitionLimiter;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/**
 * Decisions of one thread, and of two threads at once on one partition each, in one limiter; beside them two plain
 * counters that share no cache line and show how much two threads of this machine slow each other down.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TwoPartitionsBenchmark {
    private static final int COUNT = 1 << 14;
    private static final int LIMIT = 100_000;
    private static final long STEP_NANOS = 5_000;
    private static final int APART = 64;
    /** Passes that spend the burst: it lasts five, at twice the limit. */
    private static final int BURST_PASSES = 20;

    private final PartitionLimiter limiter = new BucketLimiter(2 << 20, BucketLimiter.DEFAULT_BURST_SECONDS, 1);
    private final AtomicLongArray counters = new AtomicLongArray(3 * APART);
    private final AtomicInteger threads = new AtomicInteger();

    /** A thread's partition and time. */
    @State(Scope.Thread)
    public static class Mine {
        private final int[] randoms = new SplittableRandom(1).ints(COUNT).toArray();
        private int number;
        private long partition;
        private long now;

        @Setup
        public void prepare(TwoPartitionsBenchmark shared) {
            number = shared.threads.getAndIncrement() % 2;
            partition = PartitionId.of(1, 2, Operation.READ, number);
            for (int pass = 0; pass < BURST_PASSES; pass++) {
                shared.admitted(this);
            }
        }
    }

    @Benchmark
    @Threads(1)
    @OperationsPerInvocation(COUNT)
    public int oneThread(Mine mine) {
        return decide(mine);
    }

    @Benchmark
    @Threads(2)
    @OperationsPerInvocation(COUNT)
    public int twoThreads(Mine mine) {
        return decide(mine);
    }

    @Benchmark
    @Threads(1)
    @OperationsPerInvocation(COUNT)
    public int oneThreadCounter(Mine mine) {
        return count(mine);
    }

    @Benchmark
    @Threads(2)
    @OperationsPerInvocation(COUNT)
    public int twoThreadsCounters(Mine mine) {
        return count(mine);
    }

    /** The load is twice the limit: half of the operations are admitted. */
    private int decide(Mine mine) {
        int admitted = admitted(mine);
        if (Math.abs(admitted - COUNT / 2) > COUNT * 0.02) {
            throw new AssertionError(admitted + " admitted instead of about " + COUNT / 2);
        }
        return admitted;
    }

    private int admitted(Mine mine) {
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (limiter.admit(mine.partition, LIMIT, 1, mine.randoms[i], mine.now += STEP_NANOS)
                    .isAdmitted()) {
                admitted++;
            }
        }
        return admitted;
    }

    private int count(Mine mine) {
        int at = (1 + mine.number) * APART;
        long most = counters.get(at) + COUNT / 2;
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (counters.incrementAndGet(at) <= most) {
                admitted++;
            }
        }
        if (admitted != COUNT / 2) {
            throw new AssertionError(admitted + " admitted");
        }
        return admitted;
    }
}
