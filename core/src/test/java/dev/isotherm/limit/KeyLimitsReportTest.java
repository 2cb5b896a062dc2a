// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.MalformedReportException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KeyLimitsReportTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final int SET_AT = 2 + 16 + 8;

    private static KeyLimits three() {
        return KeyLimits.EMPTY
                .limited(1, 2, new byte[] {1}, 10, 20, NOW + 10, NOW)
                .limited(Long.MIN_VALUE, Long.MAX_VALUE, new byte[KeyLimit.MOST_KEY_BYTES], 1, -1, NOW + 20, NOW)
                .limited(3, 4, new byte[] {-1, 0}, -1, Integer.MAX_VALUE, NOW + 30, NOW)
                .removed(3, 4, new byte[] {-1, 0}, NOW + 1);
    }

    private static KeyLimits decoded(byte[] bytes, long now) throws MalformedReportException {
        return KeyLimitsReport.decode(bytes, now, word -> {
            throw new AssertionError("left out: " + word.getMessage());
        });
    }

    private static void assertMalformed(String message, byte[] bytes, long now) {
        assertEquals(
                message,
                assertThrows(MalformedReportException.class, () -> decoded(bytes, now))
                        .getMessage());
    }

    @Test
    void whatIsToldIsWhatIsKnown() throws MalformedReportException {
        for (KeyLimits limits : new KeyLimits[] {KeyLimits.EMPTY, three()}) {
            KeyLimits told = decoded(KeyLimitsReport.encode(limits), NOW);
            assertEquals(limits, KeyLimits.EMPTY.merged(told, NOW + 2));
        }
    }

    @Test
    void theDigestTellsWhatDiffers() {
        Set<Long> digests = new HashSet<>();
        KeyLimits limits = KeyLimits.EMPTY;
        assertEquals(0, KeyLimitsReport.digest(limits));
        for (int i = 1; i <= KeyLimits.MOST_KEYS; i++) {
            limits = limits.limited(1, 2, new byte[] {(byte) i}, i, -1, NOW + 10, NOW);
            assertTrue(digests.add(KeyLimitsReport.digest(limits)));
        }
        KeyLimits removed = limits.removed(1, 2, new byte[] {1}, NOW + 1);
        assertNotEquals(KeyLimitsReport.digest(limits), KeyLimitsReport.digest(removed));
        assertEquals(KeyLimitsReport.digest(limits), KeyLimitsReport.digest(limits.merged(limits, NOW)));
    }

    @Test
    void nonsenseIsMalformed() {
        byte[] valid = KeyLimitsReport.encode(three());
        assertMalformed("no bytes", null, NOW);
        assertMalformed("0 bytes are too few", new byte[0], NOW);
        assertMalformed("version 7; known: 1", new byte[] {7, 0}, NOW);
        assertMalformed("129 words; allowed: at most 128", new byte[] {1, (byte) 129}, NOW);
        assertMalformed("1 bytes too many", Arrays.copyOf(valid, valid.length + 1), NOW);
        for (int length = 1; length < valid.length; length += 7) {
            assertMalformed(length + " bytes are too few", Arrays.copyOf(valid, length), NOW);
        }
        ByteBuffer.wrap(valid).putInt(2 + 16, 0);
        assertMalformed("maxReads is 0; allowed: 1 or above", valid, NOW);
    }

    @Test
    void aWordOfTheFutureIsLeftOutAndTheOthersCount() throws MalformedReportException {
        byte[] told = KeyLimitsReport.encode(three());
        assertEquals(
                three().words(),
                decoded(told, NOW - KeyLimits.MOST_AHEAD_MILLIS + 1).words());
        List<String> leftOut = new ArrayList<>();
        long before = NOW - KeyLimits.MOST_AHEAD_MILLIS;
        KeyLimits believed = KeyLimitsReport.decode(told, before, word -> leftOut.add(word.getMessage()));
        assertEquals(
                three().words().stream().filter(word -> word.setMillis == NOW).collect(Collectors.toList()),
                believed.words());
        assertEquals(List.of("said at " + (NOW + 1) + ", which is more than a day ahead of " + before), leftOut);
        ByteBuffer.wrap(told).putLong(SET_AT, Long.MIN_VALUE);
        assertThrows(MalformedReportException.class, () -> decoded(told, NOW));
    }

    /** Words are kept for days: a node that has as many as it may tells them all the time. */
    @Test
    void aFullReportIsRead() throws MalformedReportException {
        KeyLimits full = KeyLimits.EMPTY;
        for (int i = 0; i < KeyLimits.MOST_KEYS; i++) {
            full = full.limited(1, 2, new byte[] {(byte) i}, 1, -1, NOW + 10, NOW);
        }
        for (int i = 0; i < KeyLimits.MOST_KEYS; i++) {
            full = full.removed(1, 2, new byte[] {(byte) i}, NOW + 1);
            full = full.limited(1, 2, new byte[] {(byte) (i + KeyLimits.MOST_KEYS)}, 1, -1, NOW + 10, NOW + 2);
        }
        assertEquals(KeyLimits.MOST_WORDS, KeyLimits.MOST_KEYS * 2, "this test's report is full");
        assertEquals(full, KeyLimits.EMPTY.merged(decoded(KeyLimitsReport.encode(full), NOW + 3), NOW + 3));
    }
}
