// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private static final long LONG_UP = Readiness.SETTLING_SECONDS;

    private static Readiness of(double times) {
        return Readiness.of(true, true, true, 0, times, "ks.t", LONG_UP);
    }

    @Property(seed = "118")
    void itIsSafeExactlyWhenAllIsWell(
            @ForAll boolean up,
            @ForAll boolean member,
            @ForAll boolean schema,
            @ForAll @LongRange(min = 0, max = 2) long hints,
            @ForAll @DoubleRange(min = 0.1, max = 20) double times) {
        boolean well = up && member && schema && hints == 0 && times <= Readiness.WARM_TIMES;
        assertEquals(
                well,
                Readiness.of(up, member, schema, hints, times, "ks.t", LONG_UP).isSafe());
    }

    @Test
    void theReasonNamesTheTableAndHowColdItIs() {
        assertEquals("it is cold: a read of ks.t costs it 20.0 times what it costs its peers", of(20).reason());
        assertEquals("a read of ks.t costs it 1.3 times what it costs its peers", of(1.3).reason());
    }

    @Test
    void whatIsWorseIsSaidFirst() {
        assertEquals(
                "it is down",
                Readiness.of(false, false, false, 9, 20, "ks.t", 0).reason());
        assertEquals(
                "it has not joined the ring, or is leaving it",
                Readiness.of(true, false, false, 9, 20, "ks.t", 0).reason());
        assertEquals(
                "its schema is not this node's",
                Readiness.of(true, true, false, 9, 20, "ks.t", 0).reason());
        assertEquals(
                "hints of 9 bytes wait for it",
                Readiness.of(true, true, true, 9, 20, "ks.t", 0).reason());
    }

    @Test
    void whoTellsNoHeatIsSafeOnlyWhenThereWasTimeToTell() {
        assertFalse(
                Readiness.of(true, true, true, 0, Double.NaN, null, LONG_UP - 1).isSafe());
        assertTrue(Readiness.of(true, true, true, 0, Double.NaN, null, LONG_UP).isSafe());
        assertTrue(Readiness.of(true, true, true, 0, 1, "ks.t", 0).isSafe());
    }
}
