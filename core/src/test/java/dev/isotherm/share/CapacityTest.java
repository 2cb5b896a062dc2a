// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Interval by interval, each an eighth of a second. */
class CapacityTest {
    private static final double INTERVAL = 0.125;
    private static final int A_SECOND = 8;
    private static final int POOL = 32;
    /** Of these threads, at first. */
    private static final double FIRST = 0.95 * POOL;

    private static final long TARGET = FairShare.TARGET_NANOS;
    private static final double USUAL = 1e6;

    private final Capacity capacity = new Capacity(TARGET);

    private void looks(int count, long wait, double busy, double nanos, Cutting cutting) {
        for (int i = 0; i < count; i++) {
            capacity.look(INTERVAL, false, wait, POOL, busy, () -> nanos, cutting);
        }
    }

    private void learn(int seconds, double nanos) {
        looks(seconds * A_SECOND, 0, 8, nanos, Cutting.NONE);
        assertFalse(capacity.isSaturated());
    }

    private void saturated(double busy, double nanos) {
        looks(1, TARGET + 1, busy, nanos, Cutting.NONE);
        assertTrue(capacity.isSaturated());
    }

    @Test
    void saturationBeginsBeyondTheTarget() {
        looks(100, TARGET, POOL, USUAL, Cutting.NONE);
        assertFalse(capacity.isSaturated());
        looks(1, TARGET + 1, POOL, USUAL, Cutting.NONE);
        assertTrue(capacity.isSaturated());
        assertEquals(FIRST, capacity.threads(), 1e-9);
    }

    /** Cut twice while operations stay slow, it has not been tried out in between. */
    @Test
    void oneSpellOfSlownessConfirmsNothing() {
        learn(5, USUAL);
        saturated(20, 2 * USUAL);
        looks(2 * A_SECOND, 0, 19.9, 2 * USUAL, Cutting.SOME);
        looks(5 * A_SECOND, 0, 20, USUAL, Cutting.SOME);
        assertTrue(capacity.threads() > 12, () -> capacity.threads() + " threads");
    }

    @Test
    void anIntervalInWhichTheLookCameLateSaysNothing() {
        capacity.look(INTERVAL, true, 1_000_000_000, POOL, POOL, () -> USUAL, Cutting.NONE);
        assertFalse(capacity.isSaturated());
        capacity.look(INTERVAL, false, 1_000_000_000, POOL, POOL, () -> USUAL, Cutting.NONE);
        assertTrue(capacity.isSaturated());
    }

    @Test
    void whileNothingWaitsWhatIsUsualIsWorkedOutTwiceASecond() {
        AtomicInteger asked = new AtomicInteger();
        for (int look = 0; look < 10 * A_SECOND; look++) {
            capacity.look(
                    INTERVAL,
                    false,
                    0,
                    POOL,
                    8,
                    () -> {
                        asked.incrementAndGet();
                        return USUAL;
                    },
                    Cutting.NONE);
        }
        assertEquals(20, asked.get());
        saturated(POOL, 2 * USUAL);
        assertTrue(capacity.threads() < FIRST, "it was learnt all the same");
    }

    /** As much less is admitted as 0.4 s are of the queue, and at least half. */
    @ParameterizedTest
    @CsvSource({"5000001, 1", "45000000, 0.9", "125000000, 0.7", "205000000, 0.5", "3000000000, 0.5"})
    void aStandingQueueIsWorkedOff(long wait, double part) {
        looks(1, wait, 0, Double.NaN, Cutting.NONE);
        assertEquals(part * FIRST, capacity.available(), 1e-5);
        assertEquals(FIRST, capacity.threads(), 1e-9);
    }

    @Test
    void withoutAQueueAllIsGivenAway() {
        saturated(0, Double.NaN);
        looks(1, 0, 0, Double.NaN, Cutting.NONE);
        assertEquals(FIRST, capacity.available(), 1e-9);
    }

    @Test
    void itEndsAfterASecondInWhichNothingWaitedAndNothingWasCut() {
        saturated(8, USUAL);
        looks(A_SECOND - 1, TARGET, 8, USUAL, Cutting.NONE);
        assertTrue(capacity.isSaturated());
        looks(1, TARGET + 1, 8, USUAL, Cutting.NONE);
        looks(A_SECOND - 1, 0, 8, USUAL, Cutting.NONE);
        looks(1, 0, 8, USUAL, Cutting.SOME);
        looks(A_SECOND - 1, 0, 8, USUAL, Cutting.NONE);
        assertTrue(capacity.isSaturated());
        looks(1, 0, 8, USUAL, Cutting.NONE);
        assertFalse(capacity.isSaturated());
        saturated(8, USUAL);
        looks(A_SECOND - 1, 0, 8, USUAL, Cutting.NONE);
        assertTrue(capacity.isSaturated(), "the second begins anew with each saturation");
    }

    /** Operations that take f times as long: 1/f of the busy threads do as much, of which 1/f, or 0.8, are given. */
    @ParameterizedTest
    @CsvSource({
        "20, 2, 8",
        "20, 4, 4",
        "32, 1.25, 20.48",
        "25.088, 1.12, 20",
        "20, 1.1, 30.4",
        "20, 1, 30.4",
        "20, NaN, 30.4"
    })
    void whatIsScarceBehindTheThreadsIsTheCapacity(double busy, double times, double threads) {
        learn(5, USUAL);
        saturated(busy, times * USUAL);
        assertEquals(threads, capacity.threads(), 1e-9);
        assertEquals(threads, capacity.available(), 1e-5);
    }

    /** Ten threads bear what twenty took twice as long for, twice in a row; eight are given. */
    @Test
    void nearWhatWasBorneTwiceItGrowsSlowly() {
        learn(5, USUAL);
        saturated(20, 2 * USUAL);
        looks(2 * A_SECOND, 0, 20, USUAL, Cutting.SOME);
        assertEquals(8 * Math.pow(1.0125, 2 * A_SECOND), capacity.threads(), 1e-9);
        looks(1, 0, 20, 2 * USUAL, Cutting.SOME);
        assertEquals(8, capacity.threads(), 1e-9);
        looks(2 * A_SECOND, 0, 20, USUAL, Cutting.SOME);
        double near = capacity.threads();
        assertEquals(9.5, near, 0.2);
        looks(5 * A_SECOND, 0, 20, USUAL, Cutting.SOME);
        assertEquals(1.05 * near, capacity.threads(), 0.02 * near);
        looks(5 * A_SECOND, 0, 20, USUAL, Cutting.SOME);
        double beyond = capacity.threads();
        assertTrue(beyond >= 10.4, "it is tried whether more is borne: " + beyond);
        looks(2 * A_SECOND, 0, 20, USUAL, Cutting.SOME);
        assertTrue(capacity.threads() > 1.15 * beyond, beyond + " has become " + capacity.threads());
    }

    @Test
    void whatWasBorneInAnEarlierSaturationIsForgotten() {
        learn(5, USUAL);
        saturated(20, 2 * USUAL);
        looks(A_SECOND, 0, 8, USUAL, Cutting.NONE);
        assertFalse(capacity.isSaturated());
        saturated(8, USUAL);
        assertEquals(FIRST, capacity.threads(), 1e-9);
    }

    @Test
    void slowOperationsNeverAddCapacity() {
        learn(5, USUAL);
        saturated(20, 4 * USUAL);
        looks(2 * A_SECOND, TARGET + 1, 20, 2 * USUAL, Cutting.SOME);
        assertEquals(4, capacity.threads(), 1e-9);
    }

    @Test
    void whatHasBeenCutIsCutAgainAfterASecondAtTheSoonest() {
        learn(5, USUAL);
        saturated(20, 2 * USUAL);
        looks(A_SECOND - 1, 0, 20, 4 * USUAL, Cutting.SOME);
        assertEquals(8, capacity.threads(), 1e-9);
        looks(1, 0, 20, 4 * USUAL, Cutting.SOME);
        assertEquals(4, capacity.threads(), 1e-9);
    }

    @Test
    void whatWasUsualForLessThanFiveSecondsSaysNothing() {
        looks(5 * A_SECOND - 1, 0, 8, USUAL, Cutting.NONE);
        looks(10 * A_SECOND, 0, 8, Double.NaN, Cutting.NONE);
        saturated(20, 2 * USUAL);
        assertEquals(FIRST, capacity.threads(), 1e-9);
    }

    /** By a moving average of ten seconds, and only while nothing is saturated. */
    @Test
    void theUsualFollowsWhatIsUsual() {
        learn(20, USUAL);
        learn(10, 3 * USUAL);
        saturated(8, 3 * USUAL);
        looks(20 * A_SECOND, 0, 8, 2.3 * USUAL, Cutting.SOME);
        looks(1, 0, 20, 6 * USUAL, Cutting.SOME);
        double usual = 3 - 2 * Math.exp(-1);
        assertEquals(0.8 * 20 * usual / 6, capacity.threads(), 0.01 * capacity.threads());
    }

    @Test
    void whileMostOfItIsUsedItIsTriedOut() {
        learn(5, USUAL);
        saturated(20, 2 * USUAL);
        looks(10, TARGET + 1, 8, USUAL, Cutting.SOME);
        assertEquals(8, capacity.threads(), 1e-9, "not while requests wait");
        looks(10, 0, 6.3, USUAL, Cutting.SOME);
        assertEquals(8, capacity.threads(), 1e-9, "not while it is not used");
        looks(A_SECOND, 0, 8, USUAL, Cutting.SOME);
        assertEquals(8 * 1.1, capacity.threads(), 0.05, "by a tenth in a second");
        looks(60 * A_SECOND, 0, POOL, USUAL, Cutting.SOME);
        assertEquals(POOL, capacity.threads(), 0);
    }

    /** By more in each second in which nothing says that it is too much. */
    @Test
    void whatWasScarceForAMomentIsGivenAgainWithinSeconds() {
        learn(5, USUAL);
        saturated(POOL, 30 * USUAL);
        looks(2 * A_SECOND, 0, POOL, 30 * USUAL, Cutting.SOME);
        assertEquals(0.8 * POOL / 30, capacity.threads(), 1e-9);
        looks(4 * A_SECOND, 0, POOL, USUAL, Cutting.SOME);
        assertTrue(capacity.threads() < 0.1 * POOL, "it is tried slowly at first");
        looks(1, TARGET + 1, POOL, USUAL, Cutting.SOME);
        double before = capacity.threads();
        looks(A_SECOND, 0, POOL, USUAL, Cutting.SOME);
        assertEquals(1.1, capacity.threads() / before, 0.01, "and again after each sign that it is too much");
        looks(7 * A_SECOND, 0, POOL, USUAL, Cutting.SOME);
        assertEquals(POOL, capacity.threads(), 0);
    }

    private void slowInSpiteOfCuts(int looks, Cutting cutting) {
        learn(5, USUAL);
        saturated(20, 2 * USUAL);
        assertEquals(8, capacity.threads(), 1e-9);
        looks(looks, 0, 20, 2 * USUAL, cutting);
    }

    /** What became usual in one saturation does not make the next one's slowness usual. */
    @Test
    void whatIsAcceptedEndsWithTheSaturation() {
        slowInSpiteOfCuts(6 * A_SECOND, Cutting.TO_THE_LEAST);
        looks(A_SECOND, 0, 8, 2 * USUAL, Cutting.NONE);
        assertFalse(capacity.isSaturated());
        looks(60 * A_SECOND, 0, 8, 2 * USUAL, Cutting.NONE);
        saturated(20, 4 * USUAL);
        assertEquals(8, capacity.threads(), 0.1, "0.8 of the busy threads at twice the usual time");
    }

    @Test
    void aPoolThatIsMadeSmallerGivesAwayNoMoreThanItHas() {
        saturated(POOL, Double.NaN);
        capacity.look(INTERVAL, false, TARGET + 1, 8, 8, () -> Double.NaN, Cutting.SOME);
        assertEquals(8, capacity.threads(), 1e-9);
        assertTrue(capacity.available() <= 8);
    }

    /** Otherwise a capacity that shrank for a moment would never grow again: nobody asks for what is left. */
    @ParameterizedTest
    @EnumSource(
            value = Cutting.class,
            names = {"BY_CHOICE", "TO_THE_LEAST"})
    void itGrowsAlsoWhereWhatIsCutLeavesThreadsIdle(Cutting cutting) {
        learn(5, USUAL);
        saturated(20, 2 * USUAL);
        looks(60 * A_SECOND, 0, 2, USUAL, Cutting.SOME);
        assertEquals(8, capacity.threads(), 1e-9);
        looks(60 * A_SECOND, 0, 2, USUAL, cutting);
        assertEquals(POOL, capacity.threads(), 0);
    }

    /** Five seconds at the least share, and what is slow is not slow because of the large partitions. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void whatNoCutMendsIsCutNoFurther(int beyond) {
        slowInSpiteOfCuts(5 * A_SECOND - 1 + beyond, Cutting.TO_THE_LEAST);
        looks(1, 0, 10, 2 * USUAL, Cutting.TO_THE_LEAST);
        assertEquals(beyond == 0 ? 4 : 8, capacity.threads(), 1e-9);
    }

    @Test
    void theFiveSecondsAreInARow() {
        slowInSpiteOfCuts(3 * A_SECOND, Cutting.TO_THE_LEAST);
        looks(1, 0, 20, 2 * USUAL, Cutting.SOME);
        looks(3 * A_SECOND, 0, 20, 2 * USUAL, Cutting.TO_THE_LEAST);
        looks(1, 0, 20, USUAL, Cutting.TO_THE_LEAST);
        looks(3 * A_SECOND, 0, 20, 2 * USUAL, Cutting.TO_THE_LEAST);
        looks(1, 0, 10, 2 * USUAL, Cutting.TO_THE_LEAST);
        assertEquals(4, capacity.threads(), 1e-9);
    }

    @Test
    void whatNoCutMendsBecomesUsualAndTheCapacityGrowsAgain() {
        slowInSpiteOfCuts(6 * A_SECOND, Cutting.TO_THE_LEAST);
        looks(100 * A_SECOND, 0, POOL, 2 * USUAL, Cutting.SOME);
        assertEquals(POOL, capacity.threads(), 0);
        looks(2 * A_SECOND, 0, POOL, 4 * USUAL, Cutting.SOME);
        assertEquals(0.8 * POOL / 2, capacity.threads(), 0.03 * POOL, "twice the new usual time");
    }

    @Test
    void whatCutsMayYetMendDoesNotBecomeUsual() {
        slowInSpiteOfCuts(100 * A_SECOND, Cutting.SOME);
        assertEquals(8, capacity.threads(), 1e-9);
    }
}
