// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ServiceWeightsTest {
    private static final long START = Long.MAX_VALUE - 5;

    private final ServiceWeights weights = new ServiceWeights(4, 500, 1000, START);

    @Test
    void nothingKnownIsNothingWeighed() {
        assertEquals(7, weights.weighed(7, 12_345, START));
        weights.told(0, START);
        weights.told(-3, START);
        assertEquals(7, weights.weighed(7, 12_345, START));
    }

    @Test
    void aSlowNodesMessagesCountForAsManyAsTheFastestServesMeanwhile() {
        weights.told(2000, START);
        weights.told(1000, START);
        assertEquals(7, weights.weighed(7, 1000, START));
        assertEquals(20 * 7 + 19 * 4, weights.weighed(7, 20_000, START));
        assertEquals(12, weights.weighed(7, 1500, START));
        assertEquals(7, weights.weighed(7, 0, START));
    }

    /** Even in idle nodes the message itself takes longer on the slower node. */
    @Test
    void anIdleSlowNodeIsNotTheShortestQueue() {
        weights.told(1000, START);
        assertEquals(0, weights.weighed(0, 1000, START));
        assertEquals(19 * 4, weights.weighed(0, 20_000, START));
    }

    @Test
    void belowTheFloorAllAreEquallyFast() {
        weights.told(3, START);
        assertEquals(7, weights.weighed(7, 499, START));
        assertEquals(14 + 4, weights.weighed(7, 1000, START));
    }

    @Test
    void whatWeighsTooMuchIsTheLargestDepth() {
        weights.told(500, START);
        assertEquals(QueueDepth.MAX, weights.weighed(QueueDepth.MAX, Long.MAX_VALUE, START));
    }

    /**
     * The fastest time was reported less than two windows ago, and is at most every time reported in the last window.
     */
    @Property(tries = 500, seed = "44")
    void theFastestIsForgottenAfterOneToTwoWindows(
            @ForAll @Size(max = 60) List<@LongRange(min = 500, max = 5000) Long> times,
            @ForAll @IntRange(min = 1, max = 400) int step) {
        ServiceWeights told = new ServiceWeights(4, 500, 1000, START);
        List<Long> at = new ArrayList<>();
        long now = START;
        for (long time : times) {
            now += step;
            told.told(time, now);
            at.add(now);
        }
        for (int later = 0; later < 4; later++, now += 900) {
            long inOne = Long.MAX_VALUE;
            long inTwo = Long.MAX_VALUE;
            for (int i = 0; i < times.size(); i++) {
                if (now - at.get(i) < 1000) {
                    inOne = Math.min(inOne, times.get(i));
                }
                if (now - at.get(i) < 2000) {
                    inTwo = Math.min(inTwo, times.get(i));
                }
            }
            int weighed = told.weighed(1000, 500_000, now);
            long fastest = Math.round(500_000 * 1004.0 / (weighed + 4));
            if (weighed == 1000) {
                assertEquals(Long.MAX_VALUE, inOne);
            } else {
                assertTrue(fastest - 1 <= inOne && fastest + 1 >= inTwo, fastest + " of " + times + " at " + later);
            }
        }
    }

    @Test
    void argumentsMayBeAtTheirBounds() {
        ServiceWeights least = new ServiceWeights(1, 1, 1, 0);
        least.told(1, 0);
        assertEquals(2 * 3 + 1, least.weighed(3, 2, 0));
        ServiceWeights most = new ServiceWeights(QueueDepth.MAX, 1, 1, 0);
        most.told(1, 0);
        assertEquals(QueueDepth.MAX, most.weighed(3, 2, 0));
    }

    @Test
    void argumentsOutOfRangeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new ServiceWeights(0, 1, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new ServiceWeights(QueueDepth.MAX + 1, 1, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new ServiceWeights(1, 0, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new ServiceWeights(1, 1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> weights.weighed(-1, 1, 0));
    }
}
