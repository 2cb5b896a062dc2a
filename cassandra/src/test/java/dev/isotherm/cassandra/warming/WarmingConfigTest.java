// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigText;
import java.io.IOException;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmingConfigTest {
    private static WarmingConfig warming(String yaml) {
        return WarmingConfig.read(ConfigText.file(yaml).section("warming"));
    }

    @Test
    void anEmptyFileGivesTheDefaultsAndSoDoesTheShippedOne() throws IOException {
        for (WarmingConfig config : new WarmingConfig[] {
            warming(""), WarmingConfig.read(ConfigText.shipped().section("warming"))
        }) {
            assertTrue(config.enabled());
            assertEquals(8, config.settings().concurrentReads);
            assertEquals(600_000_000_000L, config.settings().atMostNanos);
        }
    }

    @Test
    void everyKeyIsRead() {
        WarmingConfig config = warming("warming: {enabled: false, concurrent_reads: 4, at_most: 90s}");
        assertFalse(config.enabled());
        assertEquals(4, config.settings().concurrentReads);
        assertEquals(90_000_000_000L, config.settings().atMostNanos);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{concurrent_reads: 0} | warming.concurrent_reads: 0 is refused; allowed: ",
                "{concurrent_reads: 65} | warming.concurrent_reads: 65 is refused; allowed: ",
                "{at_most: 2h} | warming.at_most: 2h is refused; allowed: ",
                "{fast: true} | warming.fast: true is refused; allowed: no such key"
            })
    void aMistakeIsNamed(String section, String sentence) {
        ConfigurationException mistake =
                assertThrows(ConfigurationException.class, () -> warming("warming: " + section));
        assertTrue(mistake.getMessage().contains(sentence), mistake.getMessage());
    }
}
