// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HotSlotTest {
    private final HotSlot<String, String> slot = new HotSlot<>();

    private void count(int reads, int writes, int overTableLimit, int overKeyLimit) {
        for (int i = 0; i < reads; i++) {
            slot.count(Operation.READ, Verdict.ADMITTED);
        }
        for (int i = 0; i < writes; i++) {
            slot.count(Operation.WRITE, Verdict.ADMITTED);
        }
        for (int i = 0; i < overTableLimit; i++) {
            slot.count(Operation.READ, Verdict.OVER_TABLE_LIMIT);
        }
        for (int i = 0; i < overKeyLimit; i++) {
            slot.count(Operation.WRITE, Verdict.OVER_KEY_LIMIT);
        }
    }

    private void assertRates(double reads, double writes, double overTableLimit, double overKeyLimit) {
        HotSlot.Rates<String, String> rates = slot.rates();
        assertEquals("t", rates.group);
        assertEquals("k", rates.key);
        assertEquals(reads, rates.reads, 1e-9);
        assertEquals(writes, rates.writes, 1e-9);
        assertEquals(overTableLimit, rates.rejectedByTable, 1e-9);
        assertEquals(overKeyLimit, rates.rejectedByKey, 1e-9);
    }

    @Test
    void itsRatesAreThoseOfWhatWasCountedAndFade() {
        assertTrue(slot.claim(5, "t", "k"));
        count(8, 4, 6, 2);
        slot.tick(2, 0, 10);
        assertRates(40, 20, 30, 10);
        slot.tick(2, 0.5, 10);
        assertRates(20, 10, 15, 5);
        count(8, 4, 6, 2);
        slot.tick(2, 0.5, 10);
        assertRates(30, 15, 22.5, 7.5);
    }

    @Test
    void itsWeightIsWhatWasCountedLately() {
        assertEquals(-1, slot.weight());
        assertTrue(slot.claim(5, "t", "k"));
        assertEquals(0, slot.weight());
        count(4, 3, 2, 1);
        assertEquals(10, slot.weight());
        slot.tick(1, 0.5, 1);
        assertEquals(5, slot.weight());
    }

    @Test
    void whoTakesItOverInheritsTheWeightAlone() {
        assertTrue(slot.claim(5, "others", "key"));
        count(8, 0, 8, 8);
        slot.tick(1, 0.5, 1);
        count(4, 0, 4, 4);
        int weight = slot.weight();
        assertTrue(slot.claim(6, "t", "k"));
        assertTrue(slot.holds(6));
        assertFalse(slot.holds(5));
        assertEquals(weight, slot.weight());
        count(0, 1, 0, 0);
        slot.tick(1, 0.5, 1);
        assertRates(0, 1, 0, 0);
    }

    @Test
    void itIsReleasedByItsOwnPartitionAlone() {
        assertTrue(slot.claim(5, "t", "k"));
        count(8, 0, 0, 0);
        slot.release(6);
        assertTrue(slot.holds(5));
        slot.release(5);
        assertFalse(slot.holds(5));
        assertNull(slot.rates());
        assertEquals(-1, slot.weight());
        assertTrue(slot.claim(5, "t", "k"));
        assertEquals(0, slot.weight(), "of an empty slot nobody inherits");
    }

    @Test
    void aHundredthOfASampledOperationASecondKeepsIt() {
        assertTrue(slot.claim(5, "t", "k"));
        count(1, 0, 0, 0);
        slot.tick(100, 0, 8);
        assertNotNull(slot.rates());
        count(0, 1, 0, 0);
        slot.tick(101, 0, 8);
        assertNull(slot.rates());
    }

    @Test
    void operationsOfAllKindsKeepIt() {
        assertTrue(slot.claim(5, "t", "k"));
        count(1, 1, 1, 1);
        slot.tick(400, 0, 8);
        assertRates(0.02, 0.02, 0.02, 0.02);
    }
}
