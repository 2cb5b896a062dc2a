// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * A partition's home slot becomes free while threads enter the partition. For every interleaving its count is in the
 * end what all of them added.
 */
@Param(name = "operations", gen = IntGen.class, conf = "3:5")
public class HalvingSharedHomeLincheckTest {
    private static final int LIMIT = 50;
    private static final int HIGHEST = -1;
    private static final long SEED = 5;
    private static final long OTHER = 1;
    private static final long PARTITION = SharedHomeLincheckTest.sameHome(OTHER, SEED);

    /** One set of eight. */
    private final HalvingLimiter limiter = new HalvingLimiter(128, SEED);

    private final AtomicInteger added = new AtomicInteger();

    public HalvingSharedHomeLincheckTest() {
        limiter.account(OTHER, LIMIT, 1, 0);
    }

    @Operation
    public void freeHome() {
        limiter.refund(OTHER, LIMIT, 1, 0);
    }

    @Operation
    public void account(@Param(name = "operations") int operations) {
        limiter.account(PARTITION, LIMIT, operations, 0);
        added.addAndGet(operations);
    }

    /** Twice the limit is counted before the highest random number is rejected. */
    @Validate
    public void countsTheSum() {
        int admitted = 0;
        while (limiter.admit(PARTITION, LIMIT, 1, HIGHEST, 0).isAdmitted()) {
            admitted++;
        }
        assertEquals(2 * LIMIT, added.get() + admitted);
    }

    @Test
    void noCountIsLost() {
        new ModelCheckingOptions()
                .iterations(4)
                .invocationsPerIteration(150)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(HalvingSharedHomeLincheckTest.class);
    }
}
