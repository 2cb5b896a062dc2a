// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BucketLimiterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int HIGHEST = -1;
    /** The period after which instants wrap: 2^40 units of 16 ns. */
    private static final long TURN = 1L << 44;

    private static BucketLimiter limiter() {
        return new BucketLimiter(1 << 16, 0.4, 1);
    }

    private static int admittedAtOnce(BucketLimiter limiter, long partition, int limit, long now) {
        int admitted = 0;
        while (limiter.admit(partition, limit, 1, HIGHEST, now).isAdmitted()) {
            admitted++;
        }
        return admitted;
    }

    @Test
    void theBurstIsWhatItsDefinitionSays() {
        // 0.4 s of the limit, three more but at most 0.3 s of it, and the operation that begins at the edge.
        assertEquals(1, admittedAtOnce(limiter(), 1, 1, 0));
        assertEquals(2, admittedAtOnce(limiter(), 1, 2, 0));
        assertEquals(8, admittedAtOnce(limiter(), 1, 10, 0));
        assertEquals(44, admittedAtOnce(limiter(), 1, 100, 0));
        assertEquals(404, admittedAtOnce(limiter(), 1, 1_000, 0));
        assertEquals(4_004, admittedAtOnce(limiter(), 1, 10_000, 0));
        assertEquals(204, admittedAtOnce(new BucketLimiter(1 << 16, 0.2, 1), 1, 1_000, 0));
    }

    @Test
    void theFirstSecondStaysBelowTwiceTheLimitUnderAThousandfoldOverload() {
        for (int limit : new int[] {1, 2, 3, 4, 5, 7, 10, 16, 17, 33, 100, 1_000}) {
            for (int seed = 0; seed < 20; seed++) {
                BucketLimiter limiter = limiter();
                SplittableRandom random = new SplittableRandom(seed);
                int admitted = 0;
                for (long now = 0; now < SECOND; now += SECOND / limit / 1_000) {
                    if (limiter.admit(1, limit, 1, random.nextInt(), now).isAdmitted()) {
                        admitted++;
                    }
                }
                assertTrue(admitted <= 2 * limit, admitted + " at limit " + limit);
            }
        }
    }

    @Test
    void aTurnOfTheInstantsLetsNothingThrough() {
        for (long start : new long[] {TURN - SECOND / 2, -SECOND / 2, 5 * TURN - SECOND / 3, Long.MIN_VALUE + 1}) {
            BucketLimiter limiter = limiter();
            int admitted = 0;
            for (long passed = 0; passed < 10 * SECOND; passed += SECOND / 1_000) {
                if (limiter.admit(1, 100, 1, HIGHEST, start + passed).isAdmitted()) {
                    admitted++;
                }
            }
            assertEquals(1_000 + 43, admitted, 1);
        }
    }

    @Test
    void anOldEntryNeverLooksAlive() {
        BucketLimiter limiter = limiter();
        long now = 0;
        // Debts of all depths, then pauses of all lengths, with at least one sweep in half a period.
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 2_000; i++) {
            limiter.account(1, 10, random.nextInt(1, 60), now);
            long pause = 5 * SECOND + random.nextLong(3 * TURN);
            for (long end = now + pause; now < end; now = Math.min(now + TURN / 2 - 70 * SECOND, end)) {
                limiter.sweep(now);
            }
            assertEquals(8, admittedAtOnce(limiter, 1, 10, now));
            now += 5 * SECOND;
        }
    }

    @Test
    void withoutASweepAnEntryIsRightForMostOfATurn() {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 2_000; i++) {
            BucketLimiter limiter = limiter();
            limiter.account(1, 10, 60, 0);
            // An instant up to a minute ahead is believed.
            assertEquals(8, admittedAtOnce(limiter, 1, 10, 5 * SECOND + random.nextLong(TURN - 70 * SECOND)));
        }
    }

    @Test
    void nobodyOwesMoreThanFourSecondsBeyondTheBurst() {
        BucketLimiter limiter = limiter();
        for (int i = 0; i < 100; i++) {
            limiter.account(1, 10, i % 2 == 0 ? 1e18 : Double.POSITIVE_INFINITY, 0);
        }
        // An operation may begin 0.7 s in debt.
        assertFalse(limiter.admit(1, 10, 1, HIGHEST, 3_699_000_000L).isAdmitted());
        assertTrue(limiter.admit(1, 10, 1, HIGHEST, 3_701_000_000L).isAdmitted());
    }

    @Test
    void whoWasHeldUpSinceReadingTheClockTakesNoDebtAway() {
        for (long late : new long[] {1, SECOND, 10 * SECOND, 50 * SECOND}) {
            BucketLimiter limiter = limiter();
            limiter.account(1, 10, 30, 0);
            limiter.account(1, 10, 5, -late);
            assertFalse(limiter.admit(1, 10, 1, 0, -late).isAdmitted());
            assertEquals(1, limiter.sweep(-late));
            assertEquals(1, limiter.sweep(2_999_000_000L));
        }
    }

    @Test
    void aDebtIsSecondsWhateverTheLimitBecomes() {
        BucketLimiter limiter = limiter();
        limiter.account(1, 10, 20, 0);
        assertFalse(limiter.admit(1, 1_000, 1, HIGHEST, 1_590_000_000L).isAdmitted());
        assertTrue(limiter.admit(1, 1_000, 1, HIGHEST, 1_598_000_000L).isAdmitted());
        assertSame(Decision.REJECTED, limiter.admit(1, 0, 1, 0, 3 * SECOND));
    }

    @Test
    void anOperationOfSeveralStartsLikeOneAndIsPaidOffLater() {
        BucketLimiter limiter = limiter();
        assertTrue(limiter.admit(1, 1, 3, HIGHEST, 0).isAdmitted());
        assertFalse(limiter.admit(1, 1, 3, HIGHEST, 2_290_000_000L).isAdmitted());
        assertTrue(limiter.admit(1, 1, 3, HIGHEST, 2_310_000_000L).isAdmitted());
        limiter = limiter();
        for (int i = 0; i < 3 * 404 - 2; i++) {
            assertTrue(limiter.admit(2, 1_000, 1 / 3.0, HIGHEST, 0).isAdmitted(), "third " + i);
        }
    }

    @Test
    void aRejectionWritesNothing() {
        BucketLimiter limiter = limiter();
        admittedAtOnce(limiter, 1, 100, 0);
        for (int i = 0; i < 100_000; i++) {
            limiter.admit(1, 100, 1, HIGHEST, 0);
        }
        // One period later exactly one operation is admitted.
        assertEquals(1, admittedAtOnce(limiter, 1, 100, SECOND / 100));
    }

    @Test
    void whatIsSpreadThinlyIsToldToNobody() {
        BucketLimiter limiter = limiter();
        long now = 0;
        assertSame(Decision.ADMITTED, limiter.admit(1, 100, 1, HIGHEST, now));
        // A period is 10 ms; nothing is reported from fifteen periods after the debt was paid off.
        assertSame(Decision.ADMITTED, limiter.admit(1, 100, 1, HIGHEST, now += 160_100_000));
        assertSame(Decision.ADMITTED_NEAR_LIMIT, limiter.admit(1, 100, 1, HIGHEST, now += 159_900_000));
        assertSame(Decision.ADMITTED_NEAR_LIMIT, limiter.admit(1, 100, 1, HIGHEST, now));
        assertSame(Decision.ADMITTED_NEAR_LIMIT, limiter.admit(2, 32, 1, HIGHEST, now));
        assertSame(Decision.ADMITTED, limiter.admit(3, 33, 1, HIGHEST, now));
    }

    @Test
    void fifteenPeriodsAfterTheDebtWasPaidOffNothingIsTold() {
        assertTrue(SharingRule.isTold(100, 149, 10));
        assertFalse(SharingRule.isTold(100, 150, 10));
        assertTrue(SharingRule.isTold(32, 1_000, 10));
        assertFalse(SharingRule.isTold(33, 1_000, 10));
    }

    /** Each paces its reads by what the others are not told of. */
    @Test
    void asManyCoordinatorsAsThreeDatacentersHaveReplicasStayBelowTheLimitTogether() {
        int limit = 1_000;
        int replicas = 9;
        List<BucketLimiter> limiters = new ArrayList<>();
        for (int replica = 0; replica < replicas; replica++) {
            limiters.add(limiter());
        }
        for (double periods : new double[] {4.9, 5.1, 6.1, 9, 15.9, 16.1}) {
            long start = (long) (periods * 1e12);
            long gap = (long) (periods * SECOND / limit / replicas);
            int admitted = 0;
            for (int read = 0; read * gap < 10 * SECOND; read++) {
                long now = start + read * gap;
                BucketLimiter own = limiters.get(read % replicas);
                Decision decision = own.admit(1, limit, 1, HIGHEST, now);
                admitted += decision.isAdmitted() ? 1 : 0;
                if (decision == Decision.ADMITTED_NEAR_LIMIT) {
                    limiters.stream().filter(other -> other != own).forEach(other -> other.account(1, limit, 1, now));
                }
            }
            assertTrue(admitted <= limit * 10.5, periods + " periods apart: " + admitted + " in ten seconds");
        }
    }

    @Test
    void replicasWhoseClocksDifferAgreeNearlyAlways() {
        for (double offered : new double[] {1.2, 2, 10, 100}) {
            BucketLimiter one = limiter();
            BucketLimiter other = limiter();
            SplittableRandom random = new SplittableRandom(5);
            int admitted = 0;
            int disputed = 0;
            double now = 0;
            while (admitted < 20_000) {
                now += -Math.log(1 - random.nextDouble()) * SECOND / (100 * offered);
                int bits = random.nextInt();
                // Half a second apart, and the message to one replica takes up to half a millisecond longer.
                boolean first = one.admit(1, 100, 1, bits, (long) now).isAdmitted();
                boolean second = other.admit(1, 100, 1, bits, (long) now + SECOND / 2 + random.nextInt(500_000))
                        .isAdmitted();
                if (first) {
                    admitted++;
                }
                if (first != second) {
                    disputed++;
                }
            }
            assertTrue(disputed < 0.03 * admitted, disputed + " of " + admitted + " at " + offered + " x");
        }
    }

    /** One set of slots, each owing this many operations of a tenth of a second. */
    private static BucketLimiter fullSet(double operations) {
        BucketLimiter limiter = new BucketLimiter(128, 10, 1);
        for (long partition = 1; partition <= 8; partition++) {
            limiter.account(partition, 10, operations, 0);
        }
        assertEquals(8, limiter.sweep(0));
        return limiter;
    }

    @Test
    void whatIsPaidOffToTheInstantMakesRoomAndIsNoLoss() {
        BucketLimiter limiter = fullSet(5);
        assertTrue(limiter.admit(9, 10, 1, HIGHEST, SECOND / 2) != Decision.ADMITTED_UNCOUNTED);
        limiter.account(10, 10, 1, SECOND / 2);
        assertEquals(0, limiter.evicted());
        assertEquals(0, limiter.uncounted());
    }

    @Test
    void whoOwesMoreTakesTheSlotOfWhoOwesLeast() {
        BucketLimiter limiter = fullSet(5);
        assertSame(Decision.ADMITTED_UNCOUNTED, limiter.admit(9, 10, 5, HIGHEST, 0));
        assertTrue(limiter.admit(9, 10, 6, HIGHEST, 0) != Decision.ADMITTED_UNCOUNTED);
        assertEquals(1, limiter.evicted());
        limiter.account(10, 10, 6, 0);
        assertEquals(2, limiter.evicted());
        assertEquals(1, limiter.uncounted());
    }

    @Test
    void aRefundOfATableWithoutALimitChangesNothing() {
        BucketLimiter limiter = limiter();
        limiter.account(1, 10, 20, 0);
        limiter.refund(1, 0, 20, 0);
        assertFalse(limiter.admit(1, 10, 1, HIGHEST, 0).isAdmitted());
        limiter.refund(1, 10, 20, 0);
        assertTrue(limiter.admit(1, 10, 1, HIGHEST, 0).isAdmitted());
    }

    @Test
    void impossibleSettingsAreRefused() {
        assertTrue(new BucketLimiter(1 << 16, 10, 1).admit(1, 1, 1, HIGHEST, 0).isAdmitted());
        for (double burst : new double[] {0, -1, 10.1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThrows(IllegalArgumentException.class, () -> new BucketLimiter(1 << 16, burst, 1));
        }
    }
}
