// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** The number of operations of one partition that are admitted, for any arrivals. */
class BucketRateTest {
    private static final double BURST = BucketLimiter.DEFAULT_BURST_SECONDS;
    private static final double SECOND = 1e9;
    /** The random number that is rejected first: with it no operation is admitted beyond the burst. */
    private static final int HIGHEST = -1;
    /** The number of steps beyond the burst within which an operation can be admitted at all. */
    private static final int STEPS = 32;

    private static BucketLimiter limiter() {
        return new BucketLimiter(128, BURST, 1);
    }

    private static double free(int limit) {
        return BURST + Math.min(3.0 / limit, 0.3);
    }

    private static double step(int limit) {
        return limit <= 16 ? 0.01 : 0.025;
    }

    /**
     * In no interval of length t are more than 1 + limit (burst + t) operations admitted, for any arrivals: checked
     * between all pairs of admitted operations, by the lowest of limit t - operations so far.
     */
    @Property(tries = 200, seed = "31")
    void noStretchOfTimeSeesMoreThanTheBurstAndItsShare(
            @ForAll @IntRange(min = 1, max = 20_000) int limit, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean drawn = random.nextBoolean();
        BucketLimiter limiter = limiter();
        double burst = free(limit) + (drawn ? STEPS * step(limit) : 0);
        double now = random.nextInt();
        double least = Double.POSITIVE_INFINITY;
        int operations = 0;
        for (int i = 0; i < 20_000; i++) {
            // Bunches of arrivals, then a pause.
            if (random.nextInt(200) == 0) {
                now += random.nextDouble() * 3 * SECOND;
            } else {
                now += random.nextDouble() * SECOND / limit / 3;
            }
            long nanos = (long) now;
            if (!limiter.admit(8, limit, 1, drawn ? random.nextInt() : HIGHEST, nanos)
                    .isAdmitted()) {
                continue;
            }
            double share = limit * (nanos / SECOND) - operations;
            least = Math.min(least, share);
            operations++;
            // Sixteen nanoseconds an instant, and the dithering's random walk of half a unit an operation.
            double rounding = 1e-3 + limit * 16e-9 * (1 + 3 * Math.sqrt(i));
            assertTrue(
                    limit * (nanos / SECOND) - operations >= least - 1 - limit * burst - rounding,
                    "operation " + operations);
        }
    }

    /** A client that always has an operation waiting gets exactly the limit, and the burst on top. */
    @Property(tries = 100, seed = "32")
    void whoAlwaysWaitsGetsExactlyTheLimit(
            @ForAll @IntRange(min = 1, max = 5_000) int limit,
            @ForAll @DoubleRange(min = 3, max = 40) double offered,
            @ForAll long seed) {
        BucketLimiter limiter = limiter();
        double gap = SECOND / (limit * offered);
        double seconds = Math.min(60_000 / (limit * offered), 400);
        int admitted = 0;
        double now = seed >> 8;
        double from = now;
        for (; now < from + seconds * SECOND; now += gap) {
            if (limiter.admit(8, limit, 1, HIGHEST, (long) now).isAdmitted()) {
                admitted++;
            }
        }
        double expected = limit * (seconds + free(limit));
        // An admission waits for the next arrival. Debt adds to the debt before, so that only the wait at the end is
        // lost.
        assertEquals(expected, admitted, 2 + limit * gap / SECOND + limit * 16e-9 * Math.sqrt(admitted));
    }

    /**
     * Rounding a period to units of 16 ns loses nothing on average, even where the period is a fraction of a unit: the
     * debt of n operations is n / limit seconds.
     */
    @Property(tries = 60, seed = "33")
    void ditheringIsUnbiased(@ForAll @IntRange(min = 1_000_000) int limit, @ForAll long seed) {
        assertDebtOf(limit, new SplittableRandom(seed), 300_000);
        assertDebtOf(Integer.MAX_VALUE, new SplittableRandom(seed), 100_000);
    }

    private static void assertDebtOf(int limit, SplittableRandom random, int most) {
        BucketLimiter limiter = limiter();
        int operations = (int) Math.min(most, limit * BURST);
        for (int i = 0; i < operations; i++) {
            assertTrue(limiter.admit(8, limit, 1, random.nextInt(), 0).isAdmitted());
        }
        double units = operations * (62.5e6 / limit);
        double fraction = 62.5e6 / limit % 1;
        // The dithering is a sum of coin tosses: five standard deviations, and the last unit.
        double error = 5 * Math.sqrt(operations * fraction * (1 - fraction)) + 1;
        assertEquals(1, limiter.sweep((long) ((units - error) * 16)), "too little debt at limit " + limit);
        assertEquals(0, limiter.sweep((long) ((units + error) * 16)), "too much debt at limit " + limit);
    }

    /** Reports of other nodes carry no random number: the dithering by instants is equally unbiased. */
    @Property(tries = 60, seed = "34")
    void accountingIsUnbiasedToo(@ForAll @IntRange(min = 1_000_000) int limit, @ForAll long seed) {
        BucketLimiter limiter = limiter();
        int calls = 10_000;
        long now = 0;
        double units = 0;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < calls; i++) {
            double operations = 1 + random.nextInt(5);
            double more = operations * (62.5e6 / limit);
            // The debt grows faster than time pays it off, and stays far below the greatest possible debt.
            limiter.account(8, limit, operations, now += random.nextInt(2));
            units += more;
        }
        double error = 5 * Math.sqrt(calls * 0.25) + 1;
        assertEquals(1, limiter.sweep((long) ((units - error) * 16)), "too little debt at limit " + limit);
        assertEquals(0, limiter.sweep((long) ((units + error) * 16) + now), "too much debt at limit " + limit);
    }
}
