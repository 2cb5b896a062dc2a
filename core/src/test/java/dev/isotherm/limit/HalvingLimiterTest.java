// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.Workers;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HalvingLimiterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int HIGHEST = -1;

    private static int admittedAtHighest(HalvingLimiter limiter, long now) {
        int admitted = 0;
        while (limiter.admit(1, 100, 1, HIGHEST, now).isAdmitted()) {
            admitted++;
        }
        return admitted;
    }

    @Test
    void twiceTheLimitIsCountedBeforeAnyIsRejectedAndEachSecondHalvesIt() {
        HalvingLimiter limiter = new HalvingLimiter(1 << 16, 1);
        long now = 1_000 * SECOND;
        assertEquals(200, admittedAtHighest(limiter, now));
        // The rejected one was counted too: 201.
        assertEquals(0, admittedAtHighest(limiter, now + SECOND - 1));
        // 202 halved once: 101, and 99 more reach 200.
        assertEquals(99, admittedAtHighest(limiter, now + SECOND));
        // 201 halved three times: 25.
        assertEquals(175, admittedAtHighest(limiter, now + 4 * SECOND));
        assertEquals(200, admittedAtHighest(limiter, now + 100_000 * SECOND));
    }

    @Test
    void aRefundOfATableWithoutALimitChangesNothing() {
        HalvingLimiter limiter = new HalvingLimiter(1 << 16, 1);
        limiter.account(1, 100, 150, 0);
        limiter.refund(1, 0, 150, 0);
        assertEquals(50, admittedAtHighest(limiter, 0));
    }

    @Test
    void beyondItTheChanceIsTheLimitByTheCountAndTheLogarithmOfTwo() {
        SplittableRandom random = new SplittableRandom(1);
        for (int counted : new int[] {250, 500, 5_000, 100_000}) {
            int admitted = 0;
            for (int i = 0; i < 20_000; i++) {
                HalvingLimiter limiter = new HalvingLimiter(128, 1);
                limiter.account(1, 100, counted - 1, 0);
                if (limiter.admit(1, 100, 1, random.nextInt(), 0).isAdmitted()) {
                    admitted++;
                }
            }
            double chance = 100 / (counted * Math.log(2));
            assertEquals(chance, admitted / 20_000.0, 5 * Math.sqrt(chance / 20_000));
        }
    }

    @Test
    void countsNeitherWrapNorRunOver() {
        HalvingLimiter limiter = new HalvingLimiter(1 << 16, 1);
        for (int i = 0; i < 100; i++) {
            limiter.account(1, 100, 1e9, 0);
        }
        assertSame(Decision.REJECTED, limiter.admit(1, 100, 1, HIGHEST, 0));
        assertEquals(1, limiter.sweep(20 * SECOND));
        assertEquals(0, limiter.sweep(28 * SECOND));
        limiter.account(2, 100, 1 << 27, 0);
        limiter.account(2, 100, 1 << 27, 0);
        assertSame(Decision.REJECTED, limiter.admit(2, 100, 1, HIGHEST, 0));
    }

    @Test
    void theSecondsComeRoundWithoutLettingAnythingThrough() {
        HalvingLimiter limiter = new HalvingLimiter(1 << 16, 1);
        SplittableRandom random = new SplittableRandom(2);
        long turn = (1L << 16) * SECOND;
        int admitted = 0;
        for (long now = turn - 10 * SECOND; now < turn + 10 * SECOND; now += SECOND / 1_000) {
            if (limiter.admit(1, 100, 1, random.nextInt(), now).isAdmitted() && now >= turn - 5 * SECOND) {
                admitted++;
            }
        }
        assertEquals(1_500, admitted, 150);
    }

    @Test
    void everyAdmittedOperationIsToldAndFractionsCountOnAverage() {
        HalvingLimiter limiter = new HalvingLimiter(1 << 16, 1);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 10_000; i++) {
            assertSame(Decision.ADMITTED_NEAR_LIMIT, limiter.admit(1, 100_000, 1.5, random.nextInt(), 0));
        }
        int more = 0;
        while (limiter.admit(1, 100_000, 1, HIGHEST, 0).isAdmitted()) {
            more++;
        }
        assertEquals(200_000 - 15_000, more, 300);
    }

    @Test
    void noCountOfManyThreadsIsLost() throws Exception {
        HalvingLimiter limiter = new HalvingLimiter(128, 1);
        AtomicLong admitted = new AtomicLong();
        Workers.run(4, worker -> {
            long mine = 0;
            for (int i = 0; i < 100_000; i++) {
                if (limiter.admit(i % 8, 10_000, 1, HIGHEST, 0).isAdmitted()) {
                    mine++;
                }
            }
            admitted.addAndGet(mine);
        });
        // 50,000 come to each of eight: the first 20,000 go ahead.
        assertEquals(8 * 20_000, admitted.get());
        assertEquals(0, limiter.uncounted() + limiter.evicted());
        assertTrue(limiter.sweep(0) == 8);
    }
}
