// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

class HalvingContractTest extends PartitionLimiterContract {
    @Override
    PartitionLimiter limiter(long maxBytes, long hashSeed) {
        return new HalvingLimiter(maxBytes, hashSeed);
    }

    /** Chance, and that just above twice the limit no more than 0.72 of what comes is rejected. */
    @Override
    double longRunError(int limit, double offered) {
        return offered == 2 ? 0.6 : 0.1;
    }
}
