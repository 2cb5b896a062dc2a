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
        assertEquals(Placement.LOCAL, config.balance().placement());
        assertEquals(0.05, config.balance().missFloor());
        assertEquals(0.02, config.balance().wanderingFraction());
        assertEquals(TimeUnit.SECONDS.toNanos(3), config.smoothingNanos());
        assertEquals(TimeUnit.SECONDS.toNanos(90), config.staleAfterNanos());
        assertEquals(32 << 20, config.planMemoryBytes());
    }

    @Test
    void theShippedFileSaysTheDefaults() throws IOException {
        HeatConfig defaults = heat("");
        HeatConfig config = HeatConfig.read(ConfigText.shipped().section("heat"));
        assertEquals(defaults.enabled(), config.enabled());
        assertEquals(defaults.source(), config.source());
        assertEquals(defaults.smoothingNanos(), config.smoothingNanos());
        assertEquals(defaults.staleAfterNanos(), config.staleAfterNanos());
        assertEquals(defaults.planMemoryBytes(), config.planMemoryBytes());
        assertEquals(defaults.balance().placement(), config.balance().placement());
        assertEquals(defaults.balance().missFloor(), config.balance().missFloor());
        assertEquals(defaults.balance().wanderingFraction(), config.balance().wanderingFraction());
        assertEquals(defaults.balance().warmReadNanos(), config.balance().warmReadNanos());
        assertEquals(defaults.balance().coldReadNanos(), config.balance().coldReadNanos());
    }

    @Test
    void everyKeyIsRead() {
        HeatConfig config = heat("heat:\n  enabled: false\n  placement: AFFINITY\n  source: read_time\n"
                + "  miss_floor: 0.1\n  wandering: 0\n  warm_read: 200us\n  cold_read: 4ms\n"
                + "  smoothing: 500ms\n  stale_after: 2m\n  plan_memory: 8MiB\n");
        assertFalse(config.enabled());
        assertEquals(Placement.AFFINITY, config.balance().placement());
        assertEquals(HeatSourceChoice.READ_TIME, config.source());
        assertEquals(0.1, config.balance().missFloor());
        assertEquals(0, config.balance().wanderingFraction());
        assertEquals(200_000, config.balance().warmReadNanos());
        assertEquals(4_000_000, config.balance().coldReadNanos());
        assertEquals(500_000_000, config.smoothingNanos());
        assertEquals(TimeUnit.MINUTES.toNanos(2), config.staleAfterNanos());
        assertEquals(8 << 20, config.planMemoryBytes());
    }
}
