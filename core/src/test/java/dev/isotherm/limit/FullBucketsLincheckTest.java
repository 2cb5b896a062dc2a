// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Linearizability in a full set, where partitions of more debt take the slots of others and operations count for more
 * than one: no debt is lost but that of the partition that had least, and none goes to another partition.
 */
@Param(name = "partition", gen = IntGen.class, conf = "8:9")
@Param(name = "operations", gen = IntGen.class, conf = "1:4")
public class FullBucketsLincheckTest {
    private static final int LIMIT = 2;
    private static final int HIGHEST = -1;

    /** One set of eight. */
    private final BucketLimiter limiter = new BucketLimiter(128, BucketLimiter.DEFAULT_BURST_SECONDS, 5);

    /** Seven partitions owe as much as can be owed; the eighth slot is for whoever owes more than its owner. */
    public FullBucketsLincheckTest() {
        for (int partition = 1; partition <= 7; partition++) {
            limiter.account(partition, LIMIT, 100, 0);
        }
    }

    @Operation
    public Decision admit(@Param(name = "partition") int partition) {
        return limiter.admit(partition, LIMIT, 1, HIGHEST, 0);
    }

    @Operation
    public void account(@Param(name = "partition") int partition, @Param(name = "operations") int operations) {
        limiter.account(partition, LIMIT, operations, 0);
    }

    @Operation
    public void refund(@Param(name = "partition") int partition, @Param(name = "operations") int operations) {
        limiter.refund(partition, LIMIT, operations, 0);
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(30)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(3)
                .check(FullBucketsLincheckTest.class);
    }
}
