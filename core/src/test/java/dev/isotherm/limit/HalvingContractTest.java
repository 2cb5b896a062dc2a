// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

class HalvingContractTest extends PartitionLimiterContract {
    @Override
    PartitionLimiter limiter(long maxBytes, long hashSeed) {
        return new HalvingLimiter(maxBytes, hashSeed);
    }

    /**
     * The error of the random draws; at 2 also the rule's own: just above a count of twice the limit, 0.72 of the
     * operations are still admitted.
     */
    @Override
    double longRunError(int limit, double offered) {
        return offered == 2 ? 0.6 : 0.1;
    }
}
