// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RecentLeastTest {
    private static final long SPAN = 800;

    /** Beside all values that were ever added: what counts is those of the span, and at most an eighth more. */
    @Property(tries = 3000, seed = "95")
    void theLeastIsThatOfTheSpanOrOfAnEighthMore(
            @ForAll @Size(min = 1, max = 60) List<@LongRange(min = 0, max = 400) Long> steps,
            @ForAll @Size(value = 60) List<@DoubleRange(min = 0, max = 10) Double> values,
            @ForAll @LongRange(min = -5000, max = 5000) long begin) {
        RecentLeast least = new RecentLeast(SPAN, begin);
        List<Long> times = new ArrayList<>();
        long now = begin;
        for (int i = 0; i < steps.size(); i++) {
            now += steps.get(i);
            times.add(now);
            double found = least.add(values.get(i), now);
            assertTrue(found <= leastSince(now - SPAN, times, values), "what is within the span counts");
            assertTrue(found >= leastSince(now - SPAN - SPAN / 8, times, values), "what is older does not");
        }
    }

    private static double leastSince(long instant, List<Long> times, List<Double> values) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < times.size(); i++) {
            least = times.get(i) >= instant ? Math.min(least, values.get(i)) : least;
        }
        return least;
    }

    @Test
    void afterALongSilenceTheNewestAloneCounts() {
        RecentLeast least = new RecentLeast(SPAN, Long.MIN_VALUE / 2);
        assertEquals(1, least.add(1, Long.MIN_VALUE / 2), 0);
        assertEquals(7, least.add(7, Long.MAX_VALUE / 2), 0);
        assertEquals(3, least.add(3, Long.MAX_VALUE / 2 - SPAN), 0, "a clock that goes back adds to the newest part");
    }
}
