// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptiveRatioTest {
    private static final long TAU = 3_000_000_000L;
    private static final long ROUND = 200_000_000L;

    private long now = -3;
    private final AdaptiveRatio ratio = new AdaptiveRatio(EventVariance.OF_RATIO, TAU, 1, 20, 0, now);
    private final DecayedRatio decayed = new DecayedRatio(TAU, 1, 20, now);

    private void add(double mean, double reads, int rounds) {
        for (int i = 0; i < rounds; i++) {
            now += ROUND;
            ratio.add(mean * reads, reads, now);
            decayed.add(mean * reads, reads, now);
        }
    }

    @Test
    void startsAtThePriorAndIsTheMovingAverageAtFirst() {
        assertEquals(1, ratio.value(), 0);
        for (int round = 0; round < 15; round++) {
            add(0.4, 40, 1);
            assertEquals(decayed.value(), ratio.value(), 0);
        }
    }

    @Test
    void isTheMeanOfTheNewerHalfOnceThatRestsOnMoreReads() {
        add(0.4, 40, 300);
        assertEquals(0.4, ratio.value(), 1e-12);
        double half = 40 * 150;
        assertEquals(Math.sqrt(0.4 * 0.6 / half), ratio.error(), 0.3 * Math.sqrt(0.4 * 0.6 / half));
    }

    @Test
    void theErrorIsThatOfWhicheverIsTheValue() {
        add(0.4, 40, 25);
        int rounds = 0;
        while (ratio.value() == decayed.value()) {
            double value = decayed.value();
            double variance = value * (1 - value);
            assertEquals(Math.sqrt(variance / (2 * decayed.weight())), ratio.error(), 1e-3 * ratio.error());
            add(0.4, 40, 1);
            rounds++;
        }
        // The newer half of the stretch weighs four times as much as the moving average of three seconds.
        assertTrue(rounds > 60, "the mean has taken its place");
        assertEquals(Math.sqrt(0.24 / (4 * decayed.weight())), ratio.error(), 0.1 * ratio.error());
    }

    @Test
    void afterAChangeIsTheMovingAverageAgain() {
        add(0.4, 40, 300);
        add(0.9, 40, 5);
        assertEquals(decayed.value(), ratio.value(), 0);
        add(0.9, 40, 100);
        assertEquals(0.9, ratio.value(), 0.001);
    }

    @Test
    void anotherTimeConstantLeavesTheRatioAndIsFollowedByWhatComes() {
        AdaptiveRatio other = new AdaptiveRatio(EventVariance.OF_RATIO, TAU, 1, 1e-9, 0, 0);
        other.add(30, 100, TAU);
        double before = other.value();
        other.setSmoothing(10 * TAU);
        assertEquals(before, other.value());
        other.add(0, 100, 2 * TAU);
        double kept = Math.exp(-0.1);
        assertEquals(30 * kept / (100 * kept + 100), other.value(), 1e-6);
        assertThrows(IllegalArgumentException.class, () -> other.setSmoothing(0));
    }

    @Test
    void withoutReadsNothingChanges() {
        add(0.4, 40, 300);
        double before = ratio.value();
        add(0, 0, 3000);
        assertEquals(before, ratio.value(), 0);
    }

    @Test
    void lumpsThatDependOnEachOtherAreLengthened() {
        AdaptiveRatio dependent = new AdaptiveRatio(EventVariance.OF_COUNT, TAU, 1, 20, 400, 0);
        AdaptiveRatio independent = new AdaptiveRatio(EventVariance.OF_COUNT, TAU, 1, 20, 0, 0);
        // Ten rounds high and ten low: only lumps as long as that show how much it varies.
        for (int round = 1; round <= 2000; round++) {
            double missed = round / 10 % 2 == 0 ? 44 : 36;
            dependent.add(missed, 40, round * ROUND);
            independent.add(missed, 40, round * ROUND);
        }
        assertTrue(dependent.error() > 1.2 * independent.error(), dependent.error() + ", " + independent.error());
    }

    /** A lump is as long as a tenth of the time constant, and as large as its parts need to be independent. */
    @Property(tries = 50, seed = "73")
    void aLumpEndsOnceItIsLongAndLargeEnough(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long start = random.nextLong();
        double least = 100 * random.nextInt(3);
        AdaptiveRatio byItself = new AdaptiveRatio(EventVariance.OF_COUNT, TAU, 1, 20, least, start);
        AdaptiveRatio told = new AdaptiveRatio(EventVariance.OF_COUNT, TAU, 1, 20, least, start);
        long began = start;
        long instant = start;
        double inLump = 0;
        for (int i = 0; i < 800; i++) {
            instant += TAU / 20 * random.nextInt(3);
            double reads = 20 * random.nextInt(3);
            double waits = reads * (i / 7 % 2 == 0 ? 1.3 : 0.7);
            inLump += reads;
            boolean ends = instant - began >= TAU / 10 && inLump >= least;
            byItself.add(waits, reads, instant);
            told.add(waits, reads, ends, instant);
            began = ends ? instant : began;
            inLump = ends ? 0 : inLump;
            assertEquals(told.value(), byItself.value(), 0, "ratio at " + i);
            assertEquals(told.error(), byItself.error(), 0, "error at " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -1})
    void aBadNumberIsRefusedAndNotAdded(double bad) {
        add(0.4, 40, 300);
        assertThrows(IllegalArgumentException.class, () -> ratio.add(bad, 1, now));
        assertThrows(IllegalArgumentException.class, () -> ratio.add(1, bad, now));
        assertThrows(IllegalArgumentException.class, () -> ratio.add(1, 0, now));
        add(0.4, 40, 1);
        assertEquals(0.4, ratio.value(), 1e-12);
    }
}
