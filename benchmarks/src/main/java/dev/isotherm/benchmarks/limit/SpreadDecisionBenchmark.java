// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.limit;

import dev.isotherm.limit.BucketLimiter;
import dev.isotherm.limit.Operation;
import dev.isotherm.limit.PartitionId;
import dev.isotherm.limit.PartitionLimiter;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One decision about any of a million partitions of a table, at three million operations a second of virtual time,
 * beside a map of counters that does the same: look up by key, increment, compare. The map need not forget: its
 * counters never decay, and its memory is forty times as large. Every pass must admit all operations.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SpreadDecisionBenchmark {
    private static final int COUNT = 1_000_000;
    private static final int LIMIT = 100;
    private static final long STEP_NANOS = 333;
    private static final long TABLE_MSB = 0x5bc52f80f4b911eeL;
    private static final long TABLE_LSB = 0x8a1f0242ac120002L;

    private final long[] tokens = new SplittableRandom(1).longs(COUNT).toArray();
    private final int[] randoms = new SplittableRandom(2).ints(COUNT).toArray();
    private PartitionLimiter limiter;
    private ConcurrentHashMap<PartitionKey, AtomicLong> map;
    private long now;
    private long passes;

    @Setup
    public void prepare() {
        limiter = new BucketLimiter(2 << 20, BucketLimiter.DEFAULT_BURST_SECONDS, 1);
        map = new ConcurrentHashMap<>();
        passes = 0;
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int bucket() {
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            long partition = PartitionId.of(TABLE_MSB, TABLE_LSB, Operation.READ, tokens[i]);
            if (limiter.admit(partition, LIMIT, 1, randoms[i], now += STEP_NANOS)
                    .isAdmitted()) {
                admitted++;
            }
        }
        return checked(admitted);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int concurrentHashMap() {
        long most = ++passes;
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            PartitionKey key = new PartitionKey(TABLE_MSB, TABLE_LSB, Operation.READ, tokens[i]);
            AtomicLong counter = map.get(key);
            if (counter == null) {
                counter = map.computeIfAbsent(key, absent -> new AtomicLong());
            }
            if (counter.incrementAndGet() <= most) {
                admitted++;
            }
        }
        return checked(admitted);
    }

    private static int checked(int admitted) {
        if (admitted != COUNT) {
            throw new AssertionError(admitted + " admitted");
        }
        return admitted;
    }
}
