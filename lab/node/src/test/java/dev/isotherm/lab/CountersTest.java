// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CountersTest {
    @Test
    void aLineHasTheColumnsOfTheHeader() {
        Counters counters = new Counters();
        counters.epochMillis = 1_700_000_000_000L;
        counters.reads = 38;
        counters.copies = 8;
        counters.received = 12;
        counters.readStagePending = 5;
        counters.diskWaiting = 7;
        counters.countersLed = 11;
        counters.counterQueue = 3;
        counters.moved = 13;
        counters.coordinated = 17;
        counters.sent = new TreeMap<>(Map.of("127.0.0.2", 4L, "127.0.0.3", 6L));
        String line = counters.toCsv();
        assertEquals("1700000000000,30,0,0,0,12,18,5,7,11,3,13,8,17,10,127.0.0.2=4;127.0.0.3=6", line);
        assertEquals(Counters.HEADER.split(",").length, line.split(",").length);
    }

    @Test
    void aRequestReceivedButNotYetExecutedDoesNotMakeLocalReadsNegative() {
        Counters counters = new Counters();
        counters.reads = 5;
        counters.received = 6;
        assertEquals("0", counters.toCsv().split(",", -1)[6]);
    }
}
