// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class BalanceSettingsTest {
    @Test
    void theDefaultsAreTheDocumentedOnes() {
        BalanceSettings defaults = BalanceSettings.defaults();
        assertSame(Placement.LOCAL, defaults.placement());
        assertEquals(0.05, defaults.missFloor(), 0);
        assertEquals(0.02, defaults.wanderingFraction(), 0);
        assertEquals(500_000, defaults.warmReadNanos());
        assertEquals(10_000_000, defaults.coldReadNanos());
    }

    @Test
    void anotherPlacementLeavesTheRest() {
        BalanceSettings settings =
                new BalanceSettings(Placement.LOCAL, 0.1, 0.2, 3, 4).withPlacement(Placement.AFFINITY);
        assertEquals(
                "placement AFFINITY, missFloor 0.1, wanderingFraction 0.2, warmReadNanos 3, coldReadNanos 4",
                settings.toString());
        assertSame(settings, settings.withPlacement(Placement.AFFINITY));
    }

    @Test
    void badSettingsAreRefusedByName() {
        assertRefused("placement is null; allowed: local or affinity", null, 0.05, 0.02, 1, 1);
        assertRefused("missFloor is 0.0; allowed: above 0, at most 1", Placement.LOCAL, 0, 0.02, 1, 1);
        assertRefused("missFloor is NaN; allowed: above 0, at most 1", Placement.LOCAL, Double.NaN, 0.02, 1, 1);
        assertRefused("missFloor is 1.5; allowed: above 0, at most 1", Placement.LOCAL, 1.5, 0.02, 1, 1);
        assertRefused("wanderingFraction is -0.1; allowed: 0 to 1", Placement.LOCAL, 0.05, -0.1, 1, 1);
        assertRefused(
                "wanderingFraction is Infinity; allowed: 0 to 1",
                Placement.LOCAL,
                0.05,
                Double.POSITIVE_INFINITY,
                1,
                1);
        assertRefused("warmReadNanos is 0; allowed: 1 or above", Placement.LOCAL, 0.05, 0.02, 0, 1);
        assertRefused("coldReadNanos is 4; allowed: 5 (warmReadNanos) or above", Placement.LOCAL, 0.05, 0.02, 5, 4);
    }

    private static void assertRefused(
            String message, Placement placement, double floor, double wandering, long warm, long cold) {
        assertEquals(
                message,
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new BalanceSettings(placement, floor, wandering, warm, cold))
                        .getMessage());
    }
}
