// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.share;

import dev.isotherm.common.RunningClock;
import dev.isotherm.limit.BucketLimiter;
import dev.isotherm.limit.Operation;
import dev.isotherm.limit.PartitionId;
import dev.isotherm.limit.PartitionLimiter;
import dev.isotherm.share.FairShare;
import dev.isotherm.share.NamedPartitions;
import dev.isotherm.share.WatchedPartition;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The decision and the accounting of one read under fair shares, beside the decision of today's limit: on one partition
 * and on any of a million, in a pool that is well, and on a partition that is cut, by reads and by writes; with the
 * names for the operator's view and without.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FairShareBenchmark {
    private static final int COUNT = 1 << 16;
    private static final int THREADS = 32;
    private static final long NANOS = 200_000;
    private static final long STEP_NANOS = 333;
    private static final double ASKED_PER_SECOND = 1e9 / STEP_NANOS;
    private static final int LIMIT = 1 << 20;
    /** A limit that one partition does not exceed. */
    private static final int AMPLE_LIMIT = 4 << 20;
    /** Passes that spend the burst, which lasts 0.4 s. */
    private static final int BURST_PASSES = 40;

    /** That of a process which is never paused. */
    private static final RunningClock CLOCK = new RunningClock(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, 0);

    private static final FairShare.Listener NOBODY = new FairShare.Listener() {
        @Override
        public void began(WatchedPartition partition) {}

        @Override
        public void ended(WatchedPartition partition) {}
    };

    private final long[] partitions = new long[COUNT];
    private final int[] randoms = new SplittableRandom(2).ints(COUNT).toArray();
    private final long hot = PartitionId.of(1, 2, Operation.READ, 3);
    private FairShare well;
    private FairShare saturated;
    private final NamedPartitions<String> named = new NamedPartitions<>();
    private FairShare watched;
    private PartitionLimiter limiter;
    private PartitionLimiter ample;
    /** The limit that admits the part of one partition's operations that the cut admits. */
    private int limitAsCut;

    private double dueOfOne;
    private long now;

    @Setup
    public void prepare() {
        SplittableRandom tokens = new SplittableRandom(1);
        for (int i = 0; i < COUNT; i++) {
            partitions[i] = PartitionId.of(1, 2, Operation.READ, tokens.nextInt(1_000_000));
        }
        limiter = new BucketLimiter(2 << 20, BucketLimiter.DEFAULT_BURST_SECONDS, 1);
        ample = new BucketLimiter(2 << 20, BucketLimiter.DEFAULT_BURST_SECONDS, 1);
        well = new FairShare(1024, 1, NOBODY, CLOCK, 0);
        saturated = new FairShare(1024, 1, NOBODY, CLOCK, 0);
        watched = new FairShare(1024, 1, NOBODY, CLOCK, 0);
        watched.served(hot, COUNT * NANOS);
        watched.look(0, THREADS, 1, FairShare.INTERVAL_NANOS);
        see(hot, 0);
        if (!(watched.partOfServed(hot) >= NamedPartitions.LEAST_PART)) {
            throw new AssertionError("the hot partition is not large");
        }
        for (int look = 1; look <= 10; look++) {
            for (int i = 0; i < COUNT; i++) {
                saturated.refusing(hot, 1, randoms[i], 1);
                saturated.served(i % 2 == 0 ? hot : partitions[i], NANOS);
            }
            saturated.look(50_000_000, THREADS, THREADS, look * FairShare.INTERVAL_NANOS);
        }
        if (saturated.cut().isEmpty()) {
            throw new AssertionError("the hot partition is not cut");
        }
        double part = saturated.cut().get(0).admittedPart();
        limitAsCut = (int) Math.round(ASKED_PER_SECOND * part);
        dueOfOne = COUNT * part;
        for (int pass = 0; pass < BURST_PASSES; pass++) {
            admittedOfOne(limiter, limitAsCut);
        }
    }

    /** The rival of what refuses a part of the operations: its limit refuses as large a part. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int bucketOfOne() {
        int admitted = admittedOfOne(limiter, limitAsCut);
        if (Math.abs(admitted - dueOfOne) > 0.02 * dueOfOne + 64) {
            throw new AssertionError(admitted + " admitted instead of about " + dueOfOne);
        }
        return admitted;
    }

    /** The rival of what admits all operations. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int bucketOfOneAdmitted() {
        return checked(admittedOfOne(ample, AMPLE_LIMIT));
    }

    private int admittedOfOne(PartitionLimiter by, int limit) {
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (by.admit(hot, limit, 1, randoms[i], now += STEP_NANOS).isAdmitted()) {
                admitted++;
            }
        }
        return admitted;
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int bucketOfMany() {
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (limiter.admit(partitions[i], LIMIT, 1, randoms[i], now += STEP_NANOS)
                    .isAdmitted()) {
                admitted++;
            }
        }
        return checked(admitted);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int shareOfOne() {
        boolean large = false;
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (well.refusing(hot, 1, randoms[i], 1) == null) {
                large |= well.isLarge(hot);
                well.served(hot, NANOS);
                admitted++;
            }
        }
        return checked(large ? 0 : admitted);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int shareOfMany() {
        boolean large = false;
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (well.refusing(partitions[i], 1, randoms[i], 1) == null) {
                large |= well.isLarge(partitions[i]);
                well.served(partitions[i], NANOS);
                admitted++;
            }
        }
        return checked(large ? 0 : admitted);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int namedShareOfOne() {
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            see(hot, randoms[i]);
            if (watched.refusing(hot, 1, randoms[i], 1) == null) {
                watched.served(hot, NANOS);
                admitted++;
            }
        }
        return checked(admitted);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int namedShareOfMany() {
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            see(partitions[i], randoms[i]);
            if (watched.refusing(partitions[i], 1, randoms[i], 1) == null) {
                watched.served(partitions[i], NANOS);
                admitted++;
            }
        }
        return checked(admitted);
    }

    private void see(long partition, int random) {
        if (NamedPartitions.looks(random)) {
            named.saw(partition, watched.partOfServed(partition), () -> "a name");
        }
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int shareOfCut() {
        int admitted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (saturated.refusing(hot, 1, randoms[i], 1) == null) {
                saturated.served(hot, NANOS);
                admitted++;
            }
        }
        if (admitted == COUNT) {
            throw new AssertionError("nothing was refused");
        }
        return admitted;
    }

    /** As {@link #shareOfCut}, by a coordinator of a write: it tells the others for how many its write stands. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int writeShareOfCut() {
        int admitted = 0;
        long weights = 0;
        for (int i = 0; i < COUNT; i++) {
            WatchedPartition cut = saturated.watched(hot);
            weights += cut.weight(0.5);
            if (saturated.refusing(hot, 1, randoms[i], 1) == null) {
                saturated.served(hot, NANOS);
                admitted++;
            }
        }
        if (admitted == COUNT || weights < COUNT) {
            throw new AssertionError("nothing was refused");
        }
        return admitted;
    }

    /** As {@link #shareOfCut}, by a replica of a write: it counts what the coordinator has admitted. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int writeAdmittedElsewhere() {
        int counted = 0;
        for (int i = 0; i < COUNT; i++) {
            if (saturated.watched(hot) != null && saturated.refusing(hot, 1, 0, 2) == null) {
                saturated.served(hot, NANOS);
                counted++;
            }
        }
        return checked(counted);
    }

    private static int checked(int admitted) {
        if (admitted != COUNT) {
            throw new AssertionError(admitted + " admitted");
        }
        return admitted;
    }
}
