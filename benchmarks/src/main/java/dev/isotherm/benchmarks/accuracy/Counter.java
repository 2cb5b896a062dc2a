// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import dev.isotherm.limit.BucketLimiter;
import dev.isotherm.limit.HalvingLimiter;
import dev.isotherm.limit.PartitionLimiter;

/** The choice of core's limiter. */
enum Counter {
    DEFAULT {
        @Override
        PartitionLimiter limiter(long bytes, long hashSeed) {
            return new BucketLimiter(bytes, BucketLimiter.DEFAULT_BURST_SECONDS, hashSeed);
        }
    },
    HALVING {
        @Override
        PartitionLimiter limiter(long bytes, long hashSeed) {
            return new HalvingLimiter(bytes, hashSeed);
        }
    };

    abstract PartitionLimiter limiter(long bytes, long hashSeed);
}
