// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptiveWindowTest {
    private static final int LUMPS = 20_000;

    private final SplittableRandom random = new SplittableRandom(6);
    private final AdaptiveWindow window = new AdaptiveWindow(EventVariance.OF_RATIO);

    private void lumps(int count, int reads, double misses) {
        for (int lump = 0; lump < count; lump++) {
            int missed = 0;
            for (int read = 0; read < reads; read++) {
                missed += random.nextDouble() < misses ? 1 : 0;
            }
            window.add(missed, reads);
            window.endLump();
        }
    }

    /** Whatever comes, the ratio is that of the latest events, each counted once, from a boundary of lumps on. */
    @Property(tries = 200, seed = "71")
    void isTheRatioOfTheLatestEvents(@ForAll long seed) {
        SplittableRandom of = new SplittableRandom(seed);
        AdaptiveWindow any = new AdaptiveWindow(EventVariance.OF_COUNT);
        int additions = 1 + of.nextInt(600);
        double[] numerators = new double[additions];
        double[] denominators = new double[additions];
        double mean = 5;
        for (int i = 0; i < additions; i++) {
            mean = of.nextInt(100) == 0 ? 10 * of.nextDouble() : mean;
            denominators[i] = of.nextInt(5) == 0 ? 0 : 1 + of.nextInt(20);
            numerators[i] = Math.rint(denominators[i] * mean * (0.8 + 0.4 * of.nextDouble()));
            any.add(numerators[i], denominators[i]);
            if (of.nextInt(3) == 0) {
                any.endLump();
            }
            assertTrue(isOfASuffix(any, numerators, denominators, i), "no latest events have that ratio and number");
        }
    }

    private static boolean isOfASuffix(AdaptiveWindow any, double[] numerators, double[] denominators, int last) {
        double numerator = 0;
        double denominator = 0;
        for (int i = last; i >= 0; i--) {
            numerator += numerators[i];
            denominator += denominators[i];
            if (denominator == any.weight() && (denominator == 0 || numerator / denominator == any.value())) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @CsvSource({"40, 0.2", "40, 0.02", "4, 0.2", "4, 0.05", "400, 0.5", "40, 1", "40, 0"})
    void aRatioThatStaysIsAMeanOverHalfOfAllEvents(int reads, double misses) {
        lumps(LUMPS, reads, misses);
        double all = (double) LUMPS * reads;
        assertTrue(window.weight() >= all / 4, window.weight() + " of " + all + " events");
        assertTrue(window.weight() <= 0.8 * all, window.weight() + " of " + all + " events");
        double error = Math.sqrt(misses * (1 - misses) / window.weight());
        assertEquals(misses, window.value(), 4 * error);
        assertEquals(error, window.error(misses, window.weight()), 0.3 * error);
    }

    /** The older part of it is long forgotten then. */
    @Test
    void whatIsKeptIsBounded() {
        lumps(LUMPS, 1, 0.3);
        AdaptiveWindow other = new AdaptiveWindow(EventVariance.OF_COUNT);
        for (int lump = 0; lump < 40_000; lump++) {
            other.add(1, 1);
            other.endLump();
        }
        assertEquals(1, other.value(), 0);
        assertTrue(other.weight() <= 3 * 4096, other.weight() + " events in the newer half");
    }

    @ParameterizedTest
    @CsvSource({"0.2, 0.8, 1", "0.8, 0.2, 1", "1, 0.3, 1", "0.2, 0.3, 40", "0.3, 0.2, 40"})
    void afterAChangeOnlyWhatCameAfterItCounts(double before, double after, int lumps) {
        lumps(1_000, 40, before);
        lumps(lumps, 40, after);
        assertTrue(window.weight() <= 40 * (lumps + 1), window.weight() + " events");
        lumps(1_000, 40, after);
        assertEquals(after, window.value(), 0.02);
        assertTrue(window.weight() >= 10_000, window.weight() + " events");
    }

    /** Requests by chance, but in bursts of which each makes four: what is shown is four times the variance. */
    @Test
    void burstsAreNoChanges() {
        AdaptiveWindow bursts = new AdaptiveWindow(EventVariance.OF_COUNT);
        for (int lump = 0; lump < LUMPS; lump++) {
            int burst = 0;
            for (int i = 0; i < 100; i++) {
                burst += random.nextInt(20) == 0 ? 4 : 0;
            }
            bursts.add(burst, 1);
            bursts.endLump();
        }
        assertTrue(bursts.weight() >= LUMPS / 4.0, bursts.weight() + " lumps");
        assertEquals(20, bursts.value(), 0.5);
        assertEquals(Math.sqrt(4 * 20 * 0.95), bursts.error(20, 1), 1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {10, 20, 60})
    void aRatioThatFallsIsFollowedAtTheDistanceOfSeconds(double timeConstant) {
        AdaptiveRatio ratio = new AdaptiveRatio(EventVariance.OF_RATIO, 3_000_000_000L, 1, 20, 0, 0);
        double late = 0;
        int rounds = 0;
        for (int round = 1; round <= 5 * 2 * timeConstant; round++) {
            double misses = 0.2 + 0.8 * Math.exp(-round / 5.0 / timeConstant);
            int missed = 0;
            for (int read = 0; read < 40; read++) {
                missed += random.nextDouble() < misses ? 1 : 0;
            }
            ratio.add(missed, 40, round * 200_000_000L);
            // By how many seconds the curve was earlier where it had this value.
            double at = -timeConstant * Math.log(Math.max(1e-9, (ratio.value() - 0.2) / 0.8));
            late += round / 5.0 - at;
            rounds++;
        }
        double mean = late / rounds;
        assertTrue(mean > 0 && mean < 6, "late by " + mean + " s on average");
    }
}
