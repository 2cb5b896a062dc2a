// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.SplitMix64;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;

class SetAssociativeSlotsTest {
    @Test
    void theWaysOfAHomeAreItsSetEachOnceItselfFirst() {
        SetAssociativeSlots block = new SetAssociativeSlots(4_096, 1);
        for (long partition = 0; partition < 10_000; partition++) {
            int home = block.home(block.hash(partition));
            assertEquals(home, SetAssociativeSlots.way(home, 0));
            Set<Integer> ways = new HashSet<>();
            int lowest = Integer.MAX_VALUE;
            for (int i = 0; i < SetAssociativeSlots.WAYS; i++) {
                ways.add(SetAssociativeSlots.way(home, i));
                lowest = Math.min(lowest, SetAssociativeSlots.way(home, i));
            }
            assertEquals(SetAssociativeSlots.WAYS, ways.size());
            assertEquals(0, (lowest - block.first()) % SetAssociativeSlots.WAYS);
            for (int way : ways) {
                assertTrue(way >= lowest && way < lowest + SetAssociativeSlots.WAYS && way < block.end());
            }
        }
    }

    @Test
    void homesAreEvenAlsoOfPartitionsInARow() {
        for (long stride : new long[] {1, 64, 1L << 32, SplitMix64.GOLDEN_GAMMA}) {
            SetAssociativeSlots block = new SetAssociativeSlots(64 * 101, 7);
            long[] counts = new long[block.end() - block.first()];
            double[] expected = new double[counts.length];
            for (long i = 0; i < 80_000; i++) {
                counts[block.home(block.hash(SplitMix64.mix(i * stride))) - block.first()]++;
            }
            Arrays.fill(expected, 80_000.0 / counts.length);
            assertTrue(new ChiSquareTest().chiSquareTest(expected, counts) > 1e-4, "stride " + stride);
        }
    }

    @Test
    void whoMeetsWhomDependsOnTheSeed() {
        SetAssociativeSlots one = new SetAssociativeSlots(1 << 16, 1);
        SetAssociativeSlots other = new SetAssociativeSlots(1 << 16, 2);
        int met = 0;
        int metAgain = 0;
        for (long partition = 1; partition <= 1_000_000; partition++) {
            long id = SplitMix64.mix(partition);
            if (setOf(one, id) != setOf(one, 0)) {
                continue;
            }
            met++;
            if (setOf(other, id) == setOf(other, 0)) {
                metAgain++;
            }
        }
        assertEquals(1_000_000 / 1_023.0, met, 150);
        assertTrue(metAgain < 12, metAgain + " of " + met + " meet under another seed too");
    }

    private static int setOf(SetAssociativeSlots block, long partition) {
        return (block.home(block.hash(partition)) - block.first()) / SetAssociativeSlots.WAYS;
    }

    @Test
    void fingerprintsAreNeverNoneAndDoNotFollowFromTheHome() {
        SetAssociativeSlots block = new SetAssociativeSlots(128, 3);
        Set<Long> prints = new HashSet<>();
        for (long partition = 0; partition < 100_000; partition++) {
            long print = SetAssociativeSlots.fingerprint(block.hash(partition), 24);
            assertNotEquals(0, print);
            assertTrue(print < 1 << 24);
            prints.add(print);
        }
        // 100,000 draws from 2^24 collide about 300 times.
        assertEquals(100_000 - 298, prints.size(), 100);
        assertEquals(1, SetAssociativeSlots.fingerprint(0, 20));
    }

    @Test
    void aSlotIsReplacedOnlyByWhoKnowsWhatIsInIt() {
        SetAssociativeSlots block = new SetAssociativeSlots(128, 3);
        assertEquals(0, block.get(block.first()));
        assertTrue(block.replace(block.first(), 0, 5));
        assertTrue(!block.replace(block.first(), 0, 6));
        assertEquals(5, block.get(block.first()));
        assertEquals(8, block.end() - block.first());
    }

    @Test
    void aTwinIsAnotherSlotOfTheSameSetWithTheSameFingerprint() {
        SetAssociativeSlots block = new SetAssociativeSlots(256, 3);
        long word = 7L << 40 | 1;
        for (int slot = block.first(); slot < block.end(); slot++) {
            assertTrue(block.replace(slot, 0, word));
            for (int other = block.first(); other < block.end(); other++) {
                if (other == slot) {
                    continue;
                }
                boolean together = (other - block.first()) / 8 == (slot - block.first()) / 8;
                assertTrue(block.replace(other, 0, word + 5));
                assertEquals(!together, block.isOnly(slot, 40, 7));
                assertEquals(together ? other : SetAssociativeSlots.NONE, block.twin(slot, 40, 7));
                assertTrue(block.replace(other, word + 5, 6L << 40));
                assertTrue(block.isOnly(slot, 40, 7));
                assertEquals(SetAssociativeSlots.NONE, block.twin(slot, 40, 7));
                assertTrue(block.replace(other, 6L << 40, 0));
            }
            assertTrue(block.replace(slot, word, 0));
        }
    }
}
