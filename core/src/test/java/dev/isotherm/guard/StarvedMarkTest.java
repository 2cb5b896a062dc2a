// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isotherm.common.MalformedReportException;
import org.junit.jupiter.api.Test;

class StarvedMarkTest {
    @Test
    void theByteIsAsDocumented() {
        assertArrayEquals(new byte[] {1}, StarvedMark.encode());
        assertDoesNotThrow(() -> StarvedMark.check(StarvedMark.encode()));
    }

    private static void assertMalformed(String message, byte[] bytes) {
        assertEquals(
                message,
                assertThrows(MalformedReportException.class, () -> StarvedMark.check(bytes))
                        .getMessage());
    }

    @Test
    void nonsenseIsRefusedWithTheFault() {
        assertMalformed("no bytes", null);
        assertMalformed("0 bytes; allowed: 1", new byte[0]);
        assertMalformed("2 bytes; allowed: 1", new byte[] {1, 1});
        assertMalformed("version 2; known: 1", new byte[] {2});
    }
}
