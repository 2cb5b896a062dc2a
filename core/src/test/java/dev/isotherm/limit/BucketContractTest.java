// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

class BucketContractTest extends PartitionLimiterContract {
    @Override
    PartitionLimiter limiter(long maxBytes, long hashSeed) {
        return new BucketLimiter(maxBytes, BucketLimiter.DEFAULT_BURST_SECONDS, hashSeed);
    }

    @Override
    double longRunError(int limit, double offered) {
        return 0.01;
    }
}
