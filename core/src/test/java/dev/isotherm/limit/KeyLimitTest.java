// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeyLimitTest {
    private static final int NONE = KeyLimit.NONE;
    private static final KeyLimit WORD = new KeyLimit(1, 2, new byte[] {3}, 4, 5, 100, 200, 300);

    private static String refusal(int maxReads, int maxWrites, long setMillis, long untilMillis, long keptMillis) {
        return assertThrows(
                        IllegalArgumentException.class,
                        () -> new KeyLimit(
                                1, 2, new byte[] {3}, maxReads, maxWrites, setMillis, untilMillis, keptMillis))
                .getMessage();
    }

    @Test
    void itSaysWhatItWasTold() {
        assertEquals(1, WORD.tableMsb());
        assertEquals(2, WORD.tableLsb());
        assertEquals(3, WORD.key()[0]);
        assertEquals(4, WORD.of(Operation.READ));
        assertEquals(5, WORD.of(Operation.WRITE));
        assertEquals(100, WORD.setMillis());
        assertEquals(200, WORD.untilMillis());
        assertEquals(
                "00000000000000010000000000000002/[3]: 4 reads, 5 writes, set 100, until 200, kept 300",
                WORD.toString());
    }

    @Test
    void wordsThatDifferInAnythingAreNotEqual() {
        KeyLimit same = new KeyLimit(1, 2, new byte[] {3}, 4, 5, 100, 200, 300);
        assertEquals(WORD, same);
        assertEquals(WORD.hashCode(), same.hashCode());
        assertNotEquals(WORD, (Object) "another kind");
        List<KeyLimit> others = List.of(
                new KeyLimit(0, 2, new byte[] {3}, 4, 5, 100, 200, 300),
                new KeyLimit(1, 0, new byte[] {3}, 4, 5, 100, 200, 300),
                new KeyLimit(1, 2, new byte[] {0}, 4, 5, 100, 200, 300),
                new KeyLimit(1, 2, new byte[] {3}, NONE, 5, 100, 200, 300),
                new KeyLimit(1, 2, new byte[] {3}, 4, NONE, 100, 200, 300),
                new KeyLimit(1, 2, new byte[] {3}, 4, 5, 0, 200, 300),
                new KeyLimit(1, 2, new byte[] {3}, 4, 5, 100, 0, 300),
                new KeyLimit(1, 2, new byte[] {3}, 4, 5, 100, 200, 301));
        for (KeyLimit other : others) {
            assertNotEquals(WORD, other);
        }
    }

    @Test
    void equalSetsOfWordsAreEqual() {
        KeyLimits one = KeyLimits.told(List.of(WORD));
        assertEquals(one, KeyLimits.told(List.of(WORD)));
        assertEquals(one.hashCode(), KeyLimits.told(List.of(WORD)).hashCode());
        assertNotEquals(one, KeyLimits.EMPTY);
        assertNotEquals(one.hashCode(), KeyLimits.EMPTY.hashCode());
        assertNotEquals(one, (Object) WORD);
        assertEquals("[" + WORD + "]", one.toString());
    }

    @Test
    void partitionsAreOrderedByTableAndThenByKey() {
        KeyLimit[] inOrder = {
            new KeyLimit(0, 9, new byte[] {9}, 1, 1, 0, 0, 0),
            new KeyLimit(1, 1, new byte[] {9}, 1, 1, 0, 0, 0),
            new KeyLimit(1, 2, new byte[] {2}, 1, 1, 0, 0, 0),
            new KeyLimit(1, 2, new byte[] {3}, 1, 1, 0, 0, 0)
        };
        for (int i = 0; i < inOrder.length; i++) {
            for (int j = 0; j < inOrder.length; j++) {
                assertEquals(Integer.signum(i - j), Integer.signum(inOrder[i].comparePartition(inOrder[j])));
            }
        }
        assertSame(WORD, WORD.or(new KeyLimit(1, 2, new byte[] {3}, 4, 5, 100, 200, 300)), "an equal one adds nothing");
    }

    @Test
    void whatIsOutOfItsRangeIsRefusedByItsName() {
        assertTrue(refusal(0, 1, 0, 0, 0).startsWith("maxReads is 0; "));
        assertTrue(refusal(1, 0, 0, 0, 0).startsWith("maxWrites is 0; "));
        assertTrue(refusal(1, 1, -1, 0, 0).startsWith("setMillis is -1; "));
        assertTrue(refusal(1, 1, 0, 2, 1).startsWith("keptMillis is 1; "));
        assertTrue(refusal(1, 1, 0, 0, KeyLimit.MOST_MILLIS + 1).startsWith("keptMillis is "));
        assertEquals(0, new KeyLimit(1, 2, new byte[] {3}, 1, 1, 0, 0, 0).setMillis());
    }
}
