// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Threads that disagree about which slots are free: at an early instant the home slot of a partition is another's, at a
 * later one that debt is paid off. For every interleaving the partition owes in the end what all of them added.
 */
@Param(name = "operations", gen = IntGen.class, conf = "3:5")
public class SharedHomeLincheckTest {
    /** A period is one unit of 16 ns: an operation adds one unit of debt. */
    private static final int LIMIT = 62_500_000;

    private static final int HIGHEST = -1;
    private static final long SEED = 5;
    private static final long OTHER = 1;
    private static final long PARTITION = sameHome(OTHER, SEED);
    private static final long PAID_OFF = 10;
    private static final long EARLY = PAID_OFF - 1;
    private static final long LATE = PAID_OFF;

    /** One set of eight. */
    private final BucketLimiter limiter = new BucketLimiter(128, BucketLimiter.DEFAULT_BURST_SECONDS, SEED);

    private final AtomicLong added = new AtomicLong();

    public SharedHomeLincheckTest() {
        limiter.account(OTHER, LIMIT, PAID_OFF, 0);
    }

    /** Another partition with the same home in a block of one set. */
    static long sameHome(long partition, long seed) {
        SetAssociativeSlots block = new SetAssociativeSlots(128, seed);
        long other = partition + 1;
        while (block.home(block.hash(other)) != block.home(block.hash(partition))) {
            other++;
        }
        return other;
    }

    private static long nanos(long units) {
        return units << BucketLimiter.UNIT_BITS;
    }

    @Operation
    public void admitEarly(@Param(name = "operations") int operations) {
        admit(operations, EARLY);
    }

    @Operation
    public void admitLate(@Param(name = "operations") int operations) {
        admit(operations, LATE);
    }

    private void admit(int operations, long now) {
        assertTrue(
                limiter.admit(PARTITION, LIMIT, operations, HIGHEST, nanos(now)).isAdmitted());
        added.addAndGet(operations);
    }

    @Operation
    public void accountEarly(@Param(name = "operations") int operations) {
        account(operations, EARLY);
    }

    @Operation
    public void accountLate(@Param(name = "operations") int operations) {
        account(operations, LATE);
    }

    private void account(int operations, long now) {
        limiter.account(PARTITION, LIMIT, operations, nanos(now));
        added.addAndGet(operations);
    }

    /** The debt runs from the instant of whoever came first. */
    @Validate
    public void owesTheSum() {
        if (added.get() > 0) {
            assertEquals(1, limiter.sweep(nanos(EARLY + added.get() - 1)), "debt was lost");
            assertEquals(0, limiter.sweep(nanos(LATE + added.get())), "debt was invented");
        }
    }

    @Test
    void noDebtIsLost() {
        new ModelCheckingOptions()
                .iterations(4)
                .invocationsPerIteration(150)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(SharedHomeLincheckTest.class);
    }
}
