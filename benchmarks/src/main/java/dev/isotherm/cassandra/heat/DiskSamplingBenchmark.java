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

    private DiskSampling all;
    private DiskSampling none;
    private ThreadDiskReads usage;

    @Setup
    public void prepare() {
        if (!ThreadDiskReads.areTold()) {
            throw new AssertionError("the kernel does not tell");
        }
        usage = new ThreadDiskReads();
        all = new DiskSampling(System::nanoTime, () -> 0);
        none = new DiskSampling(
                System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
        DiskReads sampled = new DiskReads(1_000_000_000L, 1, 0);
        all.follow(TABLE, sampled);
        DiskReads seldom = new DiskReads(1_000_000_000L, 1, 0);
        // A thousand million reads in a nanosecond: next to none is sampled.
        seldom.settle(1e9, 1);
        none.follow(TABLE, seldom);
        sampled();
        unsampled();
        if (sampled.sampled() != 1 || seldom.sampled() != 0) {
            throw new AssertionError(sampled.sampled() + " and " + seldom.sampled() + " sampled");
        }
    }

    @Benchmark
    public void sampled() {
        all.begin(TABLE, false);
        all.end(false);
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
