// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.BucketLimiter;
import dev.isotherm.limit.HalvingLimiter;
import dev.isotherm.limit.PartitionLimiter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.utils.Clock;

/** The limiter by which a node counts a partition's operations: {@code limit.counter} of {@code isotherm.yaml}. */
enum LimiterChoice {
    /** Counts debt: exact, and independent of the nodes' clocks. */
    BUCKET {
        @Override
        PartitionLimiter limiter(long bytes, long hashSeed) {
            return new BucketLimiter(bytes, BucketLimiter.DEFAULT_BURST_SECONDS, hashSeed);
        }

        @Override
        LongSupplier clock() {
            return System::nanoTime;
        }
    },
    /** Halves counters at each second of the wall clock. */
    HALVING {
        @Override
        PartitionLimiter limiter(long bytes, long hashSeed) {
            return new HalvingLimiter(bytes, hashSeed);
        }

        @Override
        LongSupplier clock() {
            return () -> TimeUnit.MILLISECONDS.toNanos(Clock.Global.currentTimeMillis());
        }
    };

    abstract PartitionLimiter limiter(long bytes, long hashSeed);

    abstract LongSupplier clock();

    /** @throws IllegalArgumentException when there is no counter of that name */
    static LimiterChoice parse(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
