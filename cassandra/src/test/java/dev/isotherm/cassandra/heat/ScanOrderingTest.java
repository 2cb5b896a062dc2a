// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

/** The pages of a partition that is read page by page. */
class ScanOrderingTest extends OrderedByHeat {
    private static final int PAGES = 50;
    private static final int SCANS = 2_000;

    private InetAddressAndPort page(int key, boolean isFirst) {
        context.begin(table, ConsistencyLevel.ONE, () -> List.of(key(key)));
        if (!isFirst) {
            context.goOn();
        }
        try {
            return ordered(key, 1, 2, 3).get(0).endpoint();
        } finally {
            context.clear();
        }
    }

    @Test
    void thoseAfterTheFirstAreReadFromTheSameReplica() {
        believe(1, 0.25, 0.25);
        for (int key = 0; key < 100; key++) {
            Set<InetAddressAndPort> readFrom = new HashSet<>();
            for (int page = 0; page < PAGES; page++) {
                readFrom.add(page(key, false));
            }
            assertEquals(1, readFrom.size());
        }
    }

    @Test
    void scansOfManyPartitionsHaveTheSharesOfSingleReads() {
        believe(1, 0.25, 0.25);
        int here = 0;
        int drawn = 0;
        for (int key = 0; key < SCANS; key++) {
            here += page(key, false).equals(node(1)) ? 1 : 0;
            drawn += page(key, true).equals(node(1)) ? 1 : 0;
        }
        assertEquals(drawn, here, 0.05 * SCANS);
        assertTrue(here > 0.2 * SCANS && here < 0.5 * SCANS, here + " of " + SCANS);
    }

    /** Otherwise a partition that is always being read would be read from one replica for ever. */
    @Test
    void aMinuteLaterItMayBeAnother() {
        believe(1, 0.25, 0.25);
        Set<InetAddressAndPort> readFrom = new HashSet<>();
        for (int minute = 0; minute < 60; minute++) {
            nowNanos = minute * 70_000_000_000L;
            readFrom.add(page(1, false));
        }
        assertTrue(readFrom.size() > 1);
    }
}
