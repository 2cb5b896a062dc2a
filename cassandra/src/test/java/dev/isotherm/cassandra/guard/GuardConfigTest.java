// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigText;
import dev.isotherm.guard.GuardSettings;
import java.io.IOException;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardConfigTest {
    private static GuardConfig guard(String yaml) {
        return GuardConfig.read(ConfigText.file(yaml).section("guard"));
    }

    @Test
    void anEmptyFileGivesTheDefaultsAndSoDoesTheShippedOne() throws IOException {
        for (GuardConfig config : new GuardConfig[] {
            guard(""), GuardConfig.read(ConfigText.shipped().section("guard"))
        }) {
            assertTrue(config.enabled());
            assertEquals(GuardSettings.defaults().toString(), config.settings().toString());
        }
    }

    @Test
    void everyKeyIsRead() {
        GuardConfig config = guard("guard: {enabled: false, least_patience: 20ms, most_patience: 2s,"
                + " first_retry: 500ms, most_retry: 30s}");
        assertFalse(config.enabled());
        assertEquals(
                new GuardSettings(20_000_000, 2_000_000_000, 500_000_000, 30_000_000_000L).toString(),
                config.settings().toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{least_patience: 2s} | guard.most_patience: 1000000us is refused;"
                        + " allowed: guard.least_patience, 2000000us, or more",
                "{first_retry: 10s} | guard.most_retry: 4000000us is refused;"
                        + " allowed: guard.first_retry, 10000000us, or more",
                "{patience: 2s} | guard.patience: 2s is refused; allowed: no such key",
                "{least_patience: 0ms} | guard.least_patience: 0ms is refused; allowed: a number with a unit"
            })
    void aMistakeIsNamed(String section, String sentence) {
        ConfigurationException mistake = assertThrows(ConfigurationException.class, () -> guard("guard: " + section));
        assertTrue(mistake.getMessage().contains(sentence), mistake.getMessage());
    }
}
