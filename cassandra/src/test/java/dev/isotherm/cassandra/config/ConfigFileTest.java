// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.heat.Placement;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
    private static IsothermConfig parse(String yaml) {
        return ConfigFile.parse(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void anEmptyFileGivesTheDefaults() {
        IsothermConfig config = parse("");
        assertEquals("GossipingPropertyFileSnitch", config.snitch());
        assertNull(config.queryHandler());
        assertTrue(config.heatEnabled());
        assertEquals(HeatSourceChoice.AUTO, config.heatSource());
        assertEquals(Placement.LOCAL, config.balance().placement());
        assertEquals(0.05, config.balance().missFloor());
        assertEquals(0.02, config.balance().wanderingFraction());
        assertEquals(TimeUnit.SECONDS.toNanos(3), config.smoothingNanos());
        assertEquals(TimeUnit.SECONDS.toNanos(90), config.staleAfterNanos());
    }

    @Test
    void theShippedFileSaysTheDefaults() throws IOException {
        Path shipped = Paths.get("..", "conf", "isotherm.yaml");
        IsothermConfig defaults = parse("");
        try (InputStream stream = Files.newInputStream(shipped)) {
            IsothermConfig config = ConfigFile.parse(stream);
            assertEquals(defaults.snitch(), config.snitch());
            assertEquals(defaults.heatEnabled(), config.heatEnabled());
            assertEquals(defaults.heatSource(), config.heatSource());
            assertEquals(defaults.smoothingNanos(), config.smoothingNanos());
            assertEquals(defaults.staleAfterNanos(), config.staleAfterNanos());
            assertEquals(defaults.balance().placement(), config.balance().placement());
            assertEquals(defaults.balance().missFloor(), config.balance().missFloor());
            assertEquals(
                    defaults.balance().wanderingFraction(), config.balance().wanderingFraction());
            assertEquals(defaults.balance().warmReadNanos(), config.balance().warmReadNanos());
            assertEquals(defaults.balance().coldReadNanos(), config.balance().coldReadNanos());
        }
    }

    @Test
    void everyKeyIsRead() {
        IsothermConfig config = parse(
                "snitch: SimpleSnitch\nquery_handler: a.B\nheat:\n  enabled: false\n  placement: AFFINITY\n  source: read_time\n"
                        + "  miss_floor: 0.1\n  wandering: 0\n  warm_read: 200us\n  cold_read: 4ms\n  smoothing: 500ms\n  stale_after: 2m\n");
        assertEquals("SimpleSnitch", config.snitch());
        assertEquals("a.B", config.queryHandler());
        assertEquals(false, config.heatEnabled());
        assertEquals(Placement.AFFINITY, config.balance().placement());
        assertEquals(HeatSourceChoice.READ_TIME, config.heatSource());
        assertEquals(0.1, config.balance().missFloor());
        assertEquals(0, config.balance().wanderingFraction());
        assertEquals(200_000, config.balance().warmReadNanos());
        assertEquals(4_000_000, config.balance().coldReadNanos());
        assertEquals(500_000_000, config.smoothingNanos());
        assertEquals(TimeUnit.MINUTES.toNanos(2), config.staleAfterNanos());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "snitch: 7                          | snitch: 7",
                "snitsch: SimpleSnitch              | snitsch: SimpleSnitch",
                "heat: 3                            | heat: 3",
                "'heat: {enabled: maybe}'           | heat.enabled: maybe",
                "'heat: {placement: remote}'        | heat.placement: remote",
                "'heat: {source: disk}'             | heat.source: disk",
                "'heat: {miss_floor: 0}'            | heat.miss_floor: 0",
                "'heat: {miss_floor: .nan}'         | heat.miss_floor: NaN",
                "'heat: {miss_floor: x}'            | heat.miss_floor: x",
                "'heat: {wandering: 1.1}'           | heat.wandering: 1.1",
                "'heat: {wandering: -0.1}'          | heat.wandering: -0.1",
                "'heat: {warm_read: 5}'             | heat.warm_read: 5",
                "'heat: {warm_read: 20ms}'          | heat.warm_read: 20000us",
                "'heat: {cold_read: 11s}'           | heat.cold_read: 11s",
                "'heat: {smoothing: 1h}'            | heat.smoothing: 1h",
                "'heat: {stale_after: 1s}'          | heat.stale_after: 1s",
                "'heat: {floor: 0.1}'               | heat.floor: 0.1",
                "'- a list'                         | the file",
            })
    void aMistakeIsNamedWithKeyValueAndWhatIsAllowed(String yaml, String named) {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> parse(yaml));
        assertTrue(e.getMessage().startsWith("isotherm.yaml: "), e.getMessage());
        assertTrue(e.getMessage().contains(named), e.getMessage());
        assertTrue(e.getMessage().contains("; allowed: "), e.getMessage());
    }

    @Test
    void whatIsNoYamlIsRefused() {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> parse("heat: {"));
        assertTrue(e.getMessage().contains("not valid YAML"), e.getMessage());
    }

    @Test
    void aMissingFileSaysWhereToPutIt() {
        System.setProperty(ConfigFile.LOCATION_PROPERTY, "/nowhere/isotherm.yaml");
        try {
            ConfigurationException e = assertThrows(ConfigurationException.class, ConfigFile::load);
            assertTrue(e.getMessage().contains("/nowhere/isotherm.yaml"), e.getMessage());
        } finally {
            System.clearProperty(ConfigFile.LOCATION_PROPERTY);
        }
        ConfigurationException e = assertThrows(ConfigurationException.class, ConfigFile::load);
        assertTrue(e.getMessage().contains("beside cassandra.yaml"), e.getMessage());
    }
}
