// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SeenMissesTest {
    /** A warm read takes 500 microseconds, a cold one 10 ms. */
    private final SeenMisses seen = new SeenMisses(BalanceSettings.defaults());

    @Test
    void lookUpsAddUpUntilTheyAreCleared() {
        seen.addLookUps(3, 10);
        seen.addLookUps(12, 10);
        assertEquals(20, seen.reads());
        assertEquals(13, seen.misses(), "counters read one after another may overtake each other");
        assertEquals(10e6, seen.missNanos());
        seen.clear();
        assertEquals(0, seen.reads() + seen.misses());
        assertEquals(10e6, seen.missNanos());
    }

    @Test
    void timesCountAsPartsOfColdReads() {
        seen.addTimes(100 * 0.4e6, 100);
        assertEquals(0, seen.misses());
        seen.addTimes(100 * 1.45e6, 100);
        assertEquals(10, seen.misses(), 1e-9, "a tenth of the 9.5 ms that a cold read takes more");
        seen.addTimes(100 * 30e6, 100);
        assertEquals(110, seen.misses(), 1e-9, "not more than all");
        assertEquals(300, seen.reads());
        seen.addTimes(0, 0);
        assertEquals(300, seen.reads());
        assertEquals(9.5e6, seen.missNanos());
    }

    @Test
    void samplesSayHowManyWaitedAndHowLong() {
        DiskReads disk = new DiskReads(3_000_000_000L, 10_000_000, 0);
        seen.addSampled(disk);
        assertEquals(10e6, seen.missNanos(), "as cold ones, as long as nothing else is known");
        for (int i = 0; i < 100; i++) {
            disk.add(i % 4 == 0 ? 3 : 0, i % 4 == 0 ? 6_000_000 : 100_000);
            disk.settle(1, (i + 1) * 100_000_000L);
        }
        seen.addSampled(disk);
        assertEquals(100, seen.reads());
        assertEquals(25, seen.misses());
        assertEquals(3 * disk.waitNanos(), seen.missNanos(), 1);
        seen.clear();
        seen.addSampled(disk);
        assertEquals(0, seen.reads());
    }
}
