// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReadThreadsTest {
    @Test
    void ofManyTablesTheSumsAreTakenLessOften() {
        assertEquals(1, ReadThreads.observationsPerSum(0));
        assertEquals(1, ReadThreads.observationsPerSum(499));
        assertEquals(2, ReadThreads.observationsPerSum(500));
        assertEquals(5, ReadThreads.observationsPerSum(1000));
    }

    /** The guard judges by ten observations: they then hold as much as if each had brought its sum. */
    @Test
    void tenObservationsHoldWholeSums() {
        for (int tables = 0; tables < 10_000; tables += 100) {
            assertEquals(0, 10 % ReadThreads.observationsPerSum(tables));
        }
    }
}
