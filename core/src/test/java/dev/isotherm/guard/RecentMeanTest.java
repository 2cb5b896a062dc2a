// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RecentMeanTest {
    private static final long MS = 1_000_000;

    private final RecentMean mean = new RecentMean();

    @Test
    void fewerThanTwentyReadsTellNothing() {
        assertEquals(-1, mean.nanos());
        mean.second(19, 19 * 5 * MS);
        assertEquals(-1, mean.nanos());
        mean.second(20, 20 * 5 * MS);
        assertEquals(5 * MS, mean.nanos(), 1);
        for (int second = 0; second < 30; second++) {
            mean.second(0, 0);
        }
        assertEquals(-1, mean.nanos());
    }

    /** A second weighs the same with twenty reads as with a thousand: ln 2 times five seconds are half of the mean. */
    @Property(tries = 200, seed = "72")
    void secondsCountAlikeHoweverManyReads(
            @ForAll @IntRange(min = 20, max = 10_000) int before, @ForAll @IntRange(min = 20, max = 10_000) int after) {
        RecentMean changed = new RecentMean();
        for (int second = 0; second < 60; second++) {
            changed.second(before, (double) before * MS);
        }
        for (int second = 1; second <= 10; second++) {
            changed.second(after, (double) after * 61 * MS);
            assertEquals((61 - 60 * Math.exp(-second / 5.0)) * MS, changed.nanos(), 0.001 * MS);
        }
    }
}
