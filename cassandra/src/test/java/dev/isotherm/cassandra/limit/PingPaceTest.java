// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How often a replica gets pings. */
class PingPaceTest {
    private static final long MILLI = 1_000_000;

    private final PingPace pace = new PingPace();

    @Test
    void aReplicaThatCouldGetOneEachMillisecondGetsFiftyASecond() {
        int pings = 0;
        // Monotonic clocks may begin anywhere.
        long start = Long.MAX_VALUE - 300 * MILLI;
        for (int ms = 0; ms < 1000; ms++) {
            pings += pace.begins(node(1), start + ms * MILLI) ? 1 : 0;
        }
        assertEquals(50, pings);
    }

    @Test
    void eachReplicaHasItsOwnPace() {
        assertTrue(pace.begins(node(1), 0));
        assertTrue(pace.begins(node(2), 10 * MILLI));
        assertFalse(pace.begins(node(1), 19 * MILLI));
        assertTrue(pace.begins(node(1), 20 * MILLI));
        assertFalse(pace.begins(node(2), 29 * MILLI));
    }
}
