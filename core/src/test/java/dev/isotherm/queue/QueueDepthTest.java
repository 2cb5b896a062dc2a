// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueDepthTest {
    @Property(tries = 1000, seed = "41")
    void comesBackAsItWas(
            @ForAll @IntRange(max = QueueDepth.MAX) int depth,
            @ForAll @LongRange(max = QueueDepth.MAX_SERVICE_NANOS) long serviceNanos) {
        byte[] bytes = QueueDepth.encode(depth, serviceNanos);
        assertEquals(QueueDepth.WIRE_BYTES, bytes.length);
        assertEquals(depth, QueueDepth.decode(bytes));
        long decoded = QueueDepth.decodeServiceNanos(bytes);
        assertTrue(decoded >= serviceNanos && decoded < serviceNanos + 1000, serviceNanos + " became " + decoded);
    }

    @Test
    void aDepthAloneHasNoServiceTime() {
        assertEquals(17, QueueDepth.decode(QueueDepth.encode(17)));
        assertEquals(0, QueueDepth.decodeServiceNanos(QueueDepth.encode(17)));
        assertEquals(
                QueueDepth.MAX_SERVICE_NANOS, QueueDepth.decodeServiceNanos(QueueDepth.encode(17, Long.MAX_VALUE)));
    }

    @Property(tries = 2000, seed = "42")
    void bytesOfAnotherLengthOrVersionAreRefused(@ForAll @Size(max = 20) byte[] bytes) {
        boolean possible = bytes.length == QueueDepth.WIRE_BYTES && bytes[0] == 1;
        int depth = QueueDepth.decode(bytes);
        assertTrue(depth == QueueDepth.UNKNOWN || possible && QueueDepth.isValid(depth), Arrays.toString(bytes));
    }

    @Property(tries = 2000, seed = "43")
    void bytesOfTheVersionAreADepthExactlyWithinTheRanges(@ForAll @Size(7) byte[] rest) {
        byte[] bytes = new byte[8];
        bytes[0] = 1;
        System.arraycopy(rest, 0, bytes, 1, 7);
        // Values within the range and values out of range are equally frequent.
        bytes[1] &= 0x1f;
        if (rest[6] < 64) {
            bytes[4] = 0;
        }
        long depth = number(bytes, 1, 3);
        long micros = number(bytes, 4, 4);
        boolean valid = depth <= QueueDepth.MAX && micros <= 60_000_000;
        assertEquals(valid ? depth : QueueDepth.UNKNOWN, QueueDepth.decode(bytes));
        assertEquals(valid ? micros * 1000 : 0, QueueDepth.decodeServiceNanos(bytes));
    }

    private static long number(byte[] bytes, int from, int count) {
        long number = 0;
        for (int i = from; i < from + count; i++) {
            number = number << 8 | bytes[i] & 0xff;
        }
        return number;
    }

    @Test
    void nothingIsNoDepth() {
        assertEquals(QueueDepth.UNKNOWN, QueueDepth.decode(null));
        assertEquals(QueueDepth.UNKNOWN, QueueDepth.decode(new byte[0]));
        assertEquals(0, QueueDepth.decodeServiceNanos(null));
    }

    @Test
    void numbersThatAreNoDepthAreRefused() {
        for (int number : new int[] {-1, Integer.MIN_VALUE, QueueDepth.MAX + 1, Integer.MAX_VALUE}) {
            assertFalse(QueueDepth.isValid(number));
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> QueueDepth.encode(number));
            assertEquals("depth is " + number + "; allowed: 0 to 1048575", refused.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> QueueDepth.encode(1, -1));
    }

    @ParameterizedTest
    @CsvSource({"-3, 0", "0, 0", "7, 7", "1048575, 1048575", "1048576, 1048575", "9223372036854775807, 1048575"})
    void whatWasCountedIsMadeADepth(long counted, int depth) {
        assertEquals(depth, QueueDepth.ofCount(counted));
    }
}
