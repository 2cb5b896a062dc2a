// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The sizes of a heap of at most 32 GiB: headers of 12 and 16 bytes, references of 4, all in steps of 8. */
class HeapBytesTest {
    @Test
    void anObjectIsItsHeaderAndItsFields() {
        assertEquals(16, HeapBytes.object(0));
        assertEquals(16, HeapBytes.object(4));
        assertEquals(24, HeapBytes.object(5));
        assertEquals(24, HeapBytes.object(12));
    }

    @Test
    void anArrayIsItsHeaderAndItsElements() {
        assertEquals(16, HeapBytes.array(0, Long.BYTES));
        assertEquals(24, HeapBytes.array(1, Long.BYTES));
        assertEquals(24, HeapBytes.array(5, Byte.BYTES));
        assertEquals(8_000_000_016L, HeapBytes.array(1_000_000_000, Long.BYTES));
    }

    /** Of up to two elements an unmodifiable list holds them itself, of more an array of them. */
    @Test
    void aListIsAnObjectWithItsElementsOrWithAnArrayOfThem() {
        assertEquals(0, HeapBytes.list(0));
        assertEquals(24, HeapBytes.list(1));
        assertEquals(24, HeapBytes.list(2));
        assertEquals(24 + 32, HeapBytes.list(3));
        assertEquals(24 + 32, HeapBytes.list(4));
        assertEquals(24 + 40, HeapBytes.list(5));
    }
}
