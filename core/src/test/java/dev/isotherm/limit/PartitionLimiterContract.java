// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every limiter: each implementation runs this suite. */
abstract class PartitionLimiterContract {
    static final long SECOND = 1_000_000_000L;
    /** The random number that is rejected first, and the one that is rejected last. */
    static final int HIGHEST = -1;

    static final int LOWEST = 0;
    private static final long NOW = 1_700_000_000L * SECOND + 123_456_789;
    private static final long LARGE = 2 << 20;
    /** One set of eight. */
    private static final long TINY = 128;

    abstract PartitionLimiter limiter(long maxBytes, long hashSeed);

    private int admitted(
            PartitionLimiter limiter, long partition, int limit, int tries, SplittableRandom random, long now) {
        int admitted = 0;
        for (int i = 0; i < tries; i++) {
            if (limiter.admit(partition, limit, 1, random.nextInt(), now).isAdmitted()) {
                admitted++;
            }
        }
        return admitted;
    }

    @Test
    void aLimitOfZeroRejectsEverythingAndRemembersNothing() {
        PartitionLimiter limiter = limiter(LARGE, 1);
        for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertSame(Decision.REJECTED, limiter.admit(7, limit, 1, LOWEST, NOW));
            limiter.account(7, limit, 1, NOW);
            limiter.refund(7, limit, 1, NOW);
        }
        assertEquals(0, limiter.sweep(NOW));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 1_000, 1_000_000, Integer.MAX_VALUE})
    void whoWasIdleIsAdmittedWhateverTheRandomNumber(int limit) {
        for (int random : new int[] {LOWEST, 1, 12_345, Integer.MAX_VALUE, Integer.MIN_VALUE, HIGHEST}) {
            assertTrue(limiter(LARGE, 1).admit(99, limit, 1, random, NOW).isAdmitted());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 10_000})
    void underAnyOverloadTheLimitGoesAheadInTheLongRun(int limit) {
        for (double offered : new double[] {2, 10, 100}) {
            PartitionLimiter limiter = limiter(LARGE, 2);
            SplittableRandom random = new SplittableRandom(limit);
            int seconds = limit == 1 ? 1_000 : limit == 10 ? 100 : 10;
            long gap = (long) (SECOND / (limit * offered));
            long now = NOW;
            for (; now < NOW + 5 * SECOND; now += gap) {
                limiter.admit(3, limit, 1, random.nextInt(), now);
            }
            int admitted = 0;
            for (long end = now + seconds * SECOND; now < end; now += gap) {
                if (limiter.admit(3, limit, 1, random.nextInt(), now).isAdmitted()) {
                    admitted++;
                }
            }
            assertEquals(
                    1, admitted / (double) (limit * seconds), longRunError(limit, offered), offered + " x " + limit);
        }
    }

    /** The allowed difference between the admitted rate and the limit, as a fraction of the limit. */
    abstract double longRunError(int limit, double offered);

    @Test
    void partitionsDoNotSpendEachOthersLimit() {
        PartitionLimiter limiter = limiter(LARGE, 3);
        SplittableRandom random = new SplittableRandom(3);
        assertTrue(admitted(limiter, 1, 100, 10_000, random, NOW) < 10_000);
        assertFalse(limiter.admit(1, 100, 1, HIGHEST, NOW).isAdmitted());
        for (long partition = 2; partition < 2_000; partition++) {
            assertTrue(limiter.admit(partition, 100, 1, HIGHEST, NOW).isAdmitted());
        }
    }

    @Test
    void whatOthersAdmittedCountsToo() {
        PartitionLimiter limiter = limiter(LARGE, 4);
        limiter.account(5, 100, 250, NOW);
        assertSame(Decision.REJECTED, limiter.admit(5, 100, 1, HIGHEST, NOW));
        for (int i = 0; i < 1_000; i++) {
            limiter.account(5, 100, 1e12, NOW);
        }
        assertSame(Decision.REJECTED, limiter.admit(5, 100, 1, HIGHEST, NOW));
        assertTrue(limiter.admit(5, 100, 1, HIGHEST, NOW + 60 * SECOND).isAdmitted(), "what others say is bounded");
    }

    @Test
    void whatIsRefundedWasNeverCounted() {
        PartitionLimiter limiter = limiter(LARGE, 5);
        for (int i = 0; i < 40; i++) {
            assertTrue(limiter.admit(5, 100, 1, HIGHEST, NOW).isAdmitted());
        }
        assertEquals(1, limiter.sweep(NOW));
        for (int i = 0; i < 40; i++) {
            limiter.refund(5, 100, 1, NOW);
        }
        assertEquals(0, limiter.sweep(NOW));
        limiter.refund(5, 100, 1, NOW);
        limiter.refund(6, 100, 1e300, NOW);
        assertEquals(0, limiter.sweep(NOW), "a refund of what was not counted counts for nothing");
        for (int i = 0; i < 40; i++) {
            assertTrue(limiter.admit(5, 100, 1, HIGHEST, NOW).isAdmitted());
        }
    }

    @Test
    void aLowerRandomNumberIsNeverWorse() {
        SplittableRandom random = new SplittableRandom(6);
        for (int accounted = 0; accounted < 300; accounted++) {
            int previous = HIGHEST;
            boolean was = false;
            for (int i = 0; i < 50; i++) {
                PartitionLimiter limiter = limiter(TINY, 6);
                limiter.account(5, 100, accounted, NOW);
                boolean is = limiter.admit(5, 100, 1, previous, NOW).isAdmitted();
                assertTrue(is || !was, "admitted at a higher number, not at " + previous);
                was = is;
                previous = previous == 0 ? 0 : (int) (random.nextLong(previous & 0xFFFFFFFFL));
            }
        }
    }

    @Test
    void aClockReadInAnotherOrderDoesNotMatter() {
        PartitionLimiter one = limiter(LARGE, 7);
        PartitionLimiter other = limiter(LARGE, 7);
        SplittableRandom random = new SplittableRandom(7);
        int ones = 0;
        int others = 0;
        long now = NOW;
        for (int i = 0; i < 100_000; i++) {
            now += SECOND / 1_000;
            int bits = random.nextInt();
            if (one.admit(9, 500, 1, bits, now).isAdmitted()) {
                ones++;
            }
            if (other.admit(9, 500, 1, bits, now - random.nextInt(5_000_000)).isAdmitted()) {
                others++;
            }
        }
        assertEquals(1, others / (double) ones, 0.01);
    }

    @Test
    void afterALongTimeNothingIsLeft() {
        PartitionLimiter limiter = limiter(LARGE, 8);
        for (long partition = 0; partition < 1_000; partition++) {
            limiter.account(partition, 10, 1_000, NOW);
        }
        assertEquals(1_000, limiter.sweep(NOW));
        assertEquals(1_000, limiter.sweep(NOW + SECOND / 2));
        assertEquals(0, limiter.sweep(NOW + 60 * SECOND));
        assertEquals(0, limiter.sweep(NOW));
    }

    @Test
    void theBlockIsNeverLargerThanAskedFor() {
        for (long maxBytes : new long[] {128, 129, 191, 192, 1_000, 65_536, 2 << 20, (2 << 20) + 63}) {
            long bytes = limiter(maxBytes, 9).bytes();
            assertTrue(bytes <= maxBytes && bytes > maxBytes - 64, bytes + " of " + maxBytes);
        }
        assertThrows(IllegalArgumentException.class, () -> limiter(127, 9));
        assertThrows(IllegalArgumentException.class, () -> limiter((1L << 33) + 1, 9));
    }

    @Test
    void aFullBlockAdmitsAndCountsWhatItCouldNotAccount() {
        PartitionLimiter limiter = limiter(TINY, 10);
        long partition = 0;
        for (; partition < 8; partition++) {
            assertTrue(limiter.admit(partition, 1, 1, HIGHEST, NOW) != Decision.ADMITTED_UNCOUNTED);
        }
        for (; partition < 1_000; partition++) {
            assertSame(Decision.ADMITTED_UNCOUNTED, limiter.admit(partition, 1, 1, HIGHEST, NOW));
        }
        assertEquals(992, limiter.uncounted());
        limiter.account(partition, 1, 1, NOW);
        assertEquals(993, limiter.uncounted());
        assertEquals(0, limiter.evicted());
        assertEquals(8, limiter.sweep(NOW));
    }

    @Test
    void whoOwesLeastMakesRoomForWhoOwesMore() {
        PartitionLimiter limiter = limiter(TINY, 11);
        for (long partition = 0; partition < 8; partition++) {
            limiter.account(partition, 10, partition == 5 ? 2 : 20, NOW);
        }
        limiter.account(8, 10, 2, NOW);
        assertEquals(0, limiter.evicted());
        assertEquals(2, limiter.uncounted());
        limiter.account(8, 10, 20, NOW);
        assertEquals(1, limiter.evicted());
        assertEquals(2, limiter.uncounted());
        for (long partition = 0; partition <= 8; partition++) {
            assertEquals(
                    partition == 5,
                    limiter.admit(partition, 10, 1, HIGHEST, NOW).isAdmitted(),
                    "partition " + partition);
        }
    }

    @Test
    void aMillionOthersDoNotMakeTheHotOneForgotten() {
        PartitionLimiter limiter = limiter(LARGE, 12);
        SplittableRandom random = new SplittableRandom(12);
        admitted(limiter, -1, 100, 10_000, random, NOW);
        for (long other = 0; other < 1_000_000; other++) {
            limiter.admit(other, 100, 1, random.nextInt(), NOW);
        }
        assertSame(Decision.REJECTED, limiter.admit(-1, 100, 1, HIGHEST, NOW));
        assertTrue(limiter.uncounted() > 0);
    }

    @Test
    void nothingIsAllocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        PartitionLimiter limiter = limiter(LARGE, 13);
        long least = Long.MAX_VALUE;
        // The first rounds include the allocations of the virtual machine when code first runs.
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 20_000; i++) {
                limiter.admit(i % 100, 100, 1, i * 0x9E3779B9, NOW + i);
                limiter.account(i % 1_000, 100, 1, NOW + i);
                limiter.refund(i % 10, 100, 1, NOW + i);
            }
            limiter.sweep(NOW);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes in 60,000 calls");
    }
}
