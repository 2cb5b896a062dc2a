// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.DiskReads;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.schema.TableId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the sampling of disk reads adds to one read: to a sampled one, and to one that is not. Linux alone. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DiskSamplingBenchmark {
    private static final TableId TABLE = TableId.fromUUID(new UUID(1, 1));

    /** Fewer than are sampled at most until the table is settled. */
    private static final int READS = 512;

    private static final long SECOND = 1_000_000_000;

    private DiskReads each;
    private long nowNanos;
    private DiskSampling all;
    private DiskSampling none;
    private ThreadDiskReads usage;

    @Setup
    public void prepare() {
        if (!ThreadDiskReads.areTold()) {
            throw new AssertionError("the kernel does not tell");
        }
        usage = new ThreadDiskReads();
        all = new DiskSampling(System::nanoTime, () -> 0, () -> 1);
        none = new DiskSampling(
                System::nanoTime, () -> ThreadLocalRandom.current().nextDouble(), () -> 1);
        each = new DiskReads(SECOND, 1, 0);
        all.follow(TABLE, each);
        DiskReads seldom = new DiskReads(SECOND, 1, 0);
        // A thousand million reads in a nanosecond: next to none is sampled.
        seldom.settle(1e9, 1);
        none.follow(TABLE, seldom);
        sampled();
        unsampled();
        if (seldom.sampled() != 0) {
            throw new AssertionError(seldom.sampled() + " sampled");
        }
    }

    /** The table is settled after each {@link #READS} of these, as it is once a second on a node. */
    @Benchmark
    @OperationsPerInvocation(READS)
    public long sampled() {
        long before = each.sampled();
        for (int i = 0; i < READS; i++) {
            all.begin(TABLE, false);
            all.end(false);
        }
        long sampled = each.sampled() - before;
        if (sampled != READS) {
            throw new AssertionError(sampled + " sampled");
        }
        each.settle(0, nowNanos += SECOND);
        return sampled;
    }

    @Benchmark
    public void unsampled() {
        none.begin(TABLE, false);
        none.end(false);
    }

    /** The part of a sampled read that the kernel and JNA take: there are two such calls. */
    @Benchmark
    public long oneCallOfTheKernel() {
        return usage.ask() ? usage.diskReads() : -1;
    }
}
