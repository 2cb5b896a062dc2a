// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What measures a table's heat, by the setting, the table's row cache, and what the kernel tells. */
class HeatSourceChoiceTest {
    @ParameterizedTest
    @CsvSource({
        "AUTO, true, true, DISK",
        "AUTO, false, true, DISK",
        "AUTO, true, false, CACHE",
        "AUTO, false, false, READ_TIME",
        "CACHE, true, true, CACHE",
        "CACHE, false, true, DISK",
        "CACHE, true, false, CACHE",
        "CACHE, false, false, READ_TIME",
        "DISK, true, true, DISK",
        "DISK, false, true, DISK",
        "DISK, true, false, READ_TIME",
        "DISK, false, false, READ_TIME",
        "READ_TIME, true, true, READ_TIME",
        "READ_TIME, false, true, READ_TIME",
        "READ_TIME, true, false, READ_TIME",
        "READ_TIME, false, false, READ_TIME",
    })
    void ofATable(HeatSourceChoice choice, boolean isRowCached, boolean isDiskTold, HeatSourceChoice expected) {
        assertEquals(expected, choice.of(isRowCached, isDiskTold));
    }
}
