// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodePaceTest {
    private static final long INTERVAL = 100;

    private final NodePace pace = new NodePace(INTERVAL);

    @Test
    void eachNodeHasItsOwnInterval() {
        long start = Long.MAX_VALUE - 10;
        assertTrue(pace.isDue(node(1), start), "the first time at once");
        assertFalse(pace.isDue(node(1), start));
        assertTrue(pace.isDue(node(2), start + 50));
        assertFalse(pace.isDue(node(1), start + INTERVAL - 1));
        assertTrue(pace.isDue(node(1), start + INTERVAL), "also where the clock's number overflows");
        assertFalse(pace.isDue(node(2), start + INTERVAL));
        assertFalse(pace.isDue(node(1), start + 2 * INTERVAL - 1), "the interval is from the last sending");
        assertTrue(pace.isDue(node(1), start + 2 * INTERVAL));
    }

    @Test
    void aRemovedNodeIsNew() {
        assertTrue(pace.isDue(node(1), 0));
        assertTrue(pace.isDue(node(2), 0));
        pace.removed(node(1));
        assertEquals(1, pace.remembered());
        assertTrue(pace.isDue(node(1), 1));
        assertFalse(pace.isDue(node(2), 1));
    }

    @Test
    void ofManyThreadsOneSends() {
        for (int round = 0; round < 200; round++) {
            long now = round * INTERVAL;
            long sent = IntStream.range(0, 16)
                    .parallel()
                    .filter(thread -> pace.isDue(node(1), now))
                    .count();
            assertEquals(1, sent);
        }
    }
}
