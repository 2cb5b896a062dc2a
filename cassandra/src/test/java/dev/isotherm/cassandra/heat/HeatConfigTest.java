// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigText;
import dev.isotherm.heat.Placement;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeatConfigTest {
    private static HeatConfig heat(String yaml) {
        return HeatConfig.read(ConfigText.file(yaml).section("heat"));
    }

    @Test
    void anEmptyFileGivesTheDefaults() {
        HeatConfig config = heat("");
        assertTrue(config.enabled());
        assertEquals(HeatSourceChoice.AUTO, config.source());
        assertEquals(Placement.LOCAL, config.settings().balance.placement());
        assertEquals(PlacementChoice.AUTO, config.settings().placement);
        assertEquals(0.05, config.settings().balance.missFloor());
        assertEquals(0.02, config.settings().balance.wanderingFraction());
        assertEquals(TimeUnit.SECONDS.toNanos(3), config.settings().smoothingNanos);
        assertEquals(TimeUnit.SECONDS.toNanos(90), config.settings().staleAfterNanos);
        assertEquals(32 << 20, config.settings().planMemoryBytes);
    }

    @Test
    void theShippedFileSaysTheDefaults() throws IOException {
        HeatConfig defaults = heat("");
        HeatConfig config = HeatConfig.read(ConfigText.shipped().section("heat"));
        assertEquals(defaults.enabled(), config.enabled());
        assertEquals(defaults.source(), config.source());
        assertEquals(defaults.settings().smoothingNanos, config.settings().smoothingNanos);
        assertEquals(defaults.settings().staleAfterNanos, config.settings().staleAfterNanos);
        assertEquals(defaults.settings().planMemoryBytes, config.settings().planMemoryBytes);
        assertEquals(defaults.settings().placement, config.settings().placement);
        assertEquals(
                defaults.settings().balance.placement(),
                config.settings().balance.placement());
        assertEquals(
                defaults.settings().balance.missFloor(),
                config.settings().balance.missFloor());
        assertEquals(
                defaults.settings().balance.wanderingFraction(),
                config.settings().balance.wanderingFraction());
        assertEquals(
                defaults.settings().balance.warmReadNanos(),
                config.settings().balance.warmReadNanos());
        assertEquals(
                defaults.settings().balance.coldReadNanos(),
                config.settings().balance.coldReadNanos());
    }

    @Test
    void everyKeyIsRead() {
        HeatConfig config = heat("heat:\n  enabled: false\n  placement: AFFINITY\n  source: read_time\n"
                + "  miss_floor: 0.1\n  wandering: 0\n  warm_read: 200us\n  cold_read: 4ms\n"
                + "  smoothing: 500ms\n  stale_after: 2m\n  plan_memory: 8MiB\n");
        assertFalse(config.enabled());
        assertEquals(Placement.AFFINITY, config.settings().balance.placement());
        assertEquals(PlacementChoice.AFFINITY, config.settings().placement);
        assertEquals(HeatSourceChoice.READ_TIME, config.source());
        assertEquals(0.1, config.settings().balance.missFloor());
        assertEquals(0, config.settings().balance.wanderingFraction());
        assertEquals(200_000, config.settings().balance.warmReadNanos());
        assertEquals(4_000_000, config.settings().balance.coldReadNanos());
        assertEquals(500_000_000, config.settings().smoothingNanos);
        assertEquals(TimeUnit.MINUTES.toNanos(2), config.settings().staleAfterNanos);
        assertEquals(8 << 20, config.settings().planMemoryBytes);
    }

    @Test
    void whereTheNodesChooseThePlacementIsLocalAtFirst() {
        HeatConfig config = heat("heat: {placement: Auto}");
        assertEquals(PlacementChoice.AUTO, config.settings().placement);
        assertEquals(Placement.LOCAL, config.settings().balance.placement());
    }
}
