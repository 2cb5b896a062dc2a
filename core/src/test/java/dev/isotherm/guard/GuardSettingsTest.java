// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardSettingsTest {
    @Test
    void theDefaultsAreThoseOfTheDocuments() {
        assertEquals(
                "leastPatienceNanos 30000000, mostPatienceNanos 1000000000, "
                        + "firstRetryNanos 250000000, mostRetryNanos 4000000000",
                GuardSettings.defaults().toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 1 | 1 | 1 | leastPatienceNanos is 0; allowed: 1 or above",
                "-7 | 1 | 1 | 1 | leastPatienceNanos is -7; allowed: 1 or above",
                "5 | 4 | 1 | 1 | mostPatienceNanos is 4; allowed: 5 (leastPatienceNanos) or above",
                "1 | 1 | 0 | 1 | firstRetryNanos is 0; allowed: 1 or above",
                "1 | 1 | 9 | 8 | mostRetryNanos is 8; allowed: 9 (firstRetryNanos) or above"
            })
    void valuesOutOfRangeAreNamed(long least, long most, long first, long last, String message) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new GuardSettings(least, most, first, last));
        assertEquals(message, refused.getMessage());
    }

    @Test
    void theLeastAndTheMostMayBeTheSame() {
        GuardSettings settings = new GuardSettings(3, 3, 4, 4);
        assertEquals(3, settings.leastPatienceNanos());
        assertEquals(3, settings.mostPatienceNanos());
        assertEquals(4, settings.firstRetryNanos());
        assertEquals(4, settings.mostRetryNanos());
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 2, 1000",
        "0, 2, 30",
        "14, 2, 30",
        "15, 2, 30",
        "16, 2, 32",
        "499, 2, 998",
        "501, 2, 1000",
        "9223372036854775807, 4, 1000",
        "25, 1.4, 35"
    })
    void patienceIsAMultipleOfTheUsualWithinItsBounds(long usual, double times, long patience) {
        assertEquals(patience, new GuardSettings(30, 1_000, 1, 1).patience(times, usual));
    }
}
