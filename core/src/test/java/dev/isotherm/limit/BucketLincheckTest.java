// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Linearizability in one set of the block: for every interleaving of threads some sequential order of their calls gives
 * the same answers. No debt is lost or invented.
 */
@Param(name = "partition", gen = IntGen.class, conf = "1:3")
public class BucketLincheckTest {
    private static final int LIMIT = 2;
    private static final int HIGHEST = -1;

    /** One set. At 2 a second a partition may begin 0.7 s in debt: two operations go ahead, a third is rejected. */
    private final BucketLimiter limiter = new BucketLimiter(128, BucketLimiter.DEFAULT_BURST_SECONDS, 5);

    @Operation
    public Decision admit(@Param(name = "partition") int partition) {
        return limiter.admit(partition, LIMIT, 1, HIGHEST, 0);
    }

    @Operation
    public void account(@Param(name = "partition") int partition) {
        limiter.account(partition, LIMIT, 1, 0);
    }

    @Operation
    public void refund(@Param(name = "partition") int partition) {
        limiter.refund(partition, LIMIT, 1, 0);
    }

    /**
     * The count that sweep returns belongs to no single instant; slots that it clears (paid off by refunds) must count
     * for no partition.
     */
    @Operation
    public void sweep() {
        limiter.sweep(0);
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(12)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(2)
                .check(BucketLincheckTest.class);
    }
}
