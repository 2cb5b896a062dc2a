// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecayedRatioTest {
    private static final long TAU = 10_000_000_000L;

    @Test
    void startsAtThePrior() {
        assertEquals(0.75, new DecayedRatio(TAU, 0.75, 10, 123).value(), 0);
    }

    /** While there is traffic every event counts e^(-age/tau), the prior included. */
    @Property(tries = 500, seed = "81")
    void isTheRatioOfTheExactSums(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long start = random.nextLong();
        double prior = random.nextDouble();
        DecayedRatio ratio = new DecayedRatio(TAU, prior, 5, start);
        List<double[]> events = new ArrayList<>();
        events.add(new double[] {0, prior * 5, 5});
        long now = 0;
        for (int i = 0; i < 200; i++) {
            // At least 10 reads each tenth of tau: the sum never falls to the prior's weight.
            double reads = 10 + random.nextInt(100);
            double misses = random.nextInt((int) reads + 1);
            ratio.add(misses, reads, start + now);
            events.add(new double[] {now, misses, reads});
            assertEquals(exact(events, now), ratio.value(), 1e-12);
            now += random.nextLong(TAU / 10);
        }
    }

    private static double exact(List<double[]> events, long now) {
        double numerator = 0;
        double denominator = 0;
        for (double[] event : events) {
            double weight = Math.exp((event[0] - now) / TAU);
            numerator += weight * event[1];
            denominator += weight * event[2];
        }
        return numerator / denominator;
    }

    @Test
    void afterManyTimeConstantsWhatWasBeforeIsForgotten() {
        DecayedRatio ratio = new DecayedRatio(TAU, 1, 10, 0);
        for (int i = 1; i <= 300; i++) {
            ratio.add(2, 10, i * TAU / 10);
        }
        assertEquals(0.2, ratio.value(), 1e-9);
    }

    @Test
    void itMovesTowardsTheNewValueByTheTimeConstant() {
        DecayedRatio ratio = new DecayedRatio(TAU, 0, 10, 0);
        // A hundred reads each hundredth of tau: in balance after many tau, then everything misses.
        long now = 0;
        for (int i = 0; i < 2000; i++) {
            ratio.add(0, 100, now += TAU / 100);
        }
        for (int i = 0; i < 100; i++) {
            ratio.add(100, 100, now += TAU / 100);
        }
        assertEquals(1 - Math.exp(-1), ratio.value(), 1e-9);
    }

    @Test
    void afterAQuietTimeOneReadCannotOverturnTheValue() {
        DecayedRatio ratio = new DecayedRatio(TAU, 0.5, 10, 0);
        ratio.add(0, 1000, 1);
        double before = ratio.value();
        ratio.add(0, 0, 1000 * TAU);
        assertEquals(before, ratio.value(), 1e-15);
        ratio.add(1, 1, 2000 * TAU);
        assertEquals((before * 10 + 1) / 11, ratio.value(), 1e-12);
    }

    @Test
    void aClockThatGoesBackStandsStill() {
        DecayedRatio steady = new DecayedRatio(TAU, 0.5, 10, 0);
        DecayedRatio jumping = new DecayedRatio(TAU, 0.5, 10, 0);
        steady.add(30, 100, 5 * TAU);
        jumping.add(30, 100, 5 * TAU);
        steady.add(10, 100, 5 * TAU);
        jumping.add(10, 100, 2 * TAU);
        assertEquals(steady.value(), jumping.value(), 0);
        // Time passes again only from the latest instant on, and no part of it counts twice.
        steady.add(0, 50, 6 * TAU);
        jumping.add(0, 50, 6 * TAU);
        assertEquals(steady.value(), jumping.value(), 0);
    }

    @Test
    void aClockMayWrapAround() {
        DecayedRatio wrapping = new DecayedRatio(TAU, 1, 10, Long.MAX_VALUE - TAU / 2);
        DecayedRatio plain = new DecayedRatio(TAU, 1, 10, 0);
        wrapping.add(10, 100, Long.MAX_VALUE - TAU / 2 + TAU);
        plain.add(10, 100, TAU);
        assertEquals(plain.value(), wrapping.value(), 0);
    }

    /** For all additions, the value stays between the least and the greatest ratio added. */
    @Property(tries = 500, seed = "82")
    void staysWithinWhatWasAdded(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DecayedRatio ratio = new DecayedRatio(TAU, 0.5, 1 + random.nextInt(50), 0);
        double least = 0.5;
        double most = 0.5;
        long now = 0;
        for (int i = 0; i < 100; i++) {
            now += random.nextLong(-TAU, 20 * TAU);
            double reads = random.nextInt(5);
            double misses = reads * random.nextDouble() * 2;
            ratio.add(misses, reads, now);
            if (reads > 0) {
                least = Math.min(least, misses / reads);
                most = Math.max(most, misses / reads);
            }
            assertTrue(ratio.value() >= least - 1e-12 && ratio.value() <= most + 1e-12);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1})
    void badNumbersAreRefusedAndChangeNothing(double bad) {
        DecayedRatio ratio = new DecayedRatio(TAU, 0.5, 10, 0);
        DecayedRatio untouched = new DecayedRatio(TAU, 0.5, 10, 0);
        assertRefused("numerator is " + bad + "; allowed: a finite number, 0 or above", () -> ratio.add(bad, 1, TAU));
        assertRefused("denominator is " + bad + "; allowed: a finite number, 0 or above", () -> ratio.add(1, bad, TAU));
        assertRefused("denominator is 0.0; allowed: above 0 with a numerator above 0", () -> ratio.add(1, 0, TAU));
        ratio.add(7, 10, 2 * TAU);
        untouched.add(7, 10, 2 * TAU);
        assertEquals(untouched.value(), ratio.value(), 0);
    }

    @Test
    void badSettingsAreRefused() {
        assertRefused("timeConstantNanos is 0; allowed: 1 or above", () -> new DecayedRatio(0, 1, 1, 0));
        assertRefused("priorValue is -1.0; allowed: a finite number, 0 or above", () -> new DecayedRatio(1, -1, 1, 0));
        assertRefused("priorWeight is 0.0; allowed: a finite number above 0", () -> new DecayedRatio(1, 1, 0, 0));
        assertRefused(
                "priorWeight is NaN; allowed: a finite number above 0", () -> new DecayedRatio(1, 1, Double.NaN, 0));
    }

    private static void assertRefused(String message, Runnable call) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
}
