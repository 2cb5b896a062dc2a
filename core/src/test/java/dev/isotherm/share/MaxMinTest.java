// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MaxMinTest {
    @Test
    void whoAsksForLittleGetsItAndTheOthersTheSame() {
        assertEquals(3.2, MaxMin.level(new double[] {2, 2.6, 4, 5}, 11), 1e-9);
        assertEquals(2.7, MaxMin.level(new double[] {5, 2, 4, 2.6}, 10), 1e-9);
    }

    @Test
    void nobodyIsCutWhileAllFits() {
        assertEquals(Double.POSITIVE_INFINITY, MaxMin.level(new double[] {1, 2, 3}, 6));
        assertEquals(Double.POSITIVE_INFINITY, MaxMin.level(new double[] {}, 0));
        assertEquals(0, MaxMin.level(new double[] {1, 2}, -1));
    }

    @Property(seed = "119")
    void allIsGivenAwayAndNoMore(
            @ForAll @Size(min = 1, max = 16) List<@DoubleRange(min = 0, max = 100) Double> demands,
            @ForAll @DoubleRange(min = 0, max = 500) double available) {
        double[] asked = demands.stream().mapToDouble(demand -> demand).toArray();
        double level = MaxMin.level(asked, available);
        double given =
                Arrays.stream(asked).map(demand -> Math.min(demand, level)).sum();
        double most = Math.min(available, Arrays.stream(asked).sum());
        assertEquals(most, given, 1e-9 * Math.max(1, most));
        assertTrue(level >= available / asked.length * (1 - 1e-12), "an equal part is the least");
    }
}
