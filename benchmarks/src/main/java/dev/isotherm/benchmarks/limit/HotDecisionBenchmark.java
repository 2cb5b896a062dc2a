// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.limit;

import dev.isotherm.limit.BucketLimiter;
import dev.isotherm.limit.Operation;
import dev.isotherm.limit.PartitionId;
import dev.isotherm.limit.PartitionLimiter;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
 * One decision about a partition with constant load, beside a plain counter that is incremented and compared. The load
 * is half the limit, twice and a hundred times the limit; each pass must admit the limit, or all operations if they are
 * fewer.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotDecisionBenchmark {
    private static final int COUNT = 1 << 16;
    private static final int LIMIT = 100_000;

    @Param({"0.5", "2", "100"})
    public double offered;

    private final int[] randoms = new SplittableRandom(1).ints(COUNT).toArray();
    private final PartitionLimiter limiter = new BucketLimiter(2 << 20, BucketLimiter.DEFAULT_BURST_SECONDS, 1);
    private final AtomicLong counter = new AtomicLong();
    private final long partition = PartitionId.of(1, 2, Operation.READ, 3);
    private long stepNanos;
    private long now;

    @Setup
    public void prepare() {
        stepNanos = Math.round(1e9 / (LIMIT * offered));
        // The burst after idleness is spent before the measurement.
        for (int i = 0; i < 2 * LIMIT * Math.max(1, offered); i++) {
            limiter.admit(partition, LIMIT, 1, randoms[i % COUNT], now += stepNanos);
        }
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int bucket() {
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (limiter.admit(partition, LIMIT, 1, randoms[i], now += stepNanos).isAdmitted()) {
                admitted++;
            }
        }
        double due = COUNT * Math.min(1, 1 / offered);
        if (Math.abs(admitted - due) > 0.02 * due + (offered > 1 ? 64 : 0)) {
            throw new AssertionError(admitted + " admitted instead of about " + due);
        }
        return admitted;
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int atomicLong() {
        long most = counter.get() + (long) (COUNT * Math.min(1, 1 / offered));
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (counter.incrementAndGet() <= most) {
                admitted++;
            }
        }
        if (admitted != (int) (COUNT * Math.min(1, 1 / offered))) {
            throw new AssertionError(admitted + " admitted");
        }
        return admitted;
    }
}
