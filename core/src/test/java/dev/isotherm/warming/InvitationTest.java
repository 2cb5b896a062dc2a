// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.MalformedReportException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class InvitationTest {
    @Test
    void theBytesAreAsDocumented() {
        byte[] expected = ByteBuffer.allocate(19)
                .put((byte) 1)
                .putShort((short) 0x8000)
                .putLong(5)
                .putLong(-1)
                .array();
        assertArrayEquals(expected, new Invitation(0x8000 / 65535.0, Set.of(new UUID(5, -1))).encode());
    }

    @Property(seed = "126")
    void itComesBack(@ForAll @IntRange(min = 1, max = 65535) int parts, @ForAll @IntRange(max = 64) int count)
            throws MalformedReportException {
        Set<UUID> tables = new HashSet<>();
        for (int i = 0; i < count; i++) {
            tables.add(new UUID(i, 3));
        }
        Invitation decoded = Invitation.decode(new Invitation(parts / 65535.0, tables).encode());
        assertEquals(tables, decoded.tables());
        assertEquals(parts / 65535.0, decoded.fraction());
    }

    @Test
    void noInvitationHasMoreThan64Tables() throws MalformedReportException {
        Set<UUID> tables = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            tables.add(new UUID(i, 3));
        }
        Set<UUID> kept = Invitation.decode(new Invitation(1, tables).encode()).tables();
        assertEquals(64, kept.size());
        assertTrue(tables.containsAll(kept));
    }

    private static void assertMalformed(String message, byte[] bytes) {
        assertEquals(
                message,
                assertThrows(MalformedReportException.class, () -> Invitation.decode(bytes))
                        .getMessage());
    }

    @Test
    void nonsenseIsRefusedWithTheFault() {
        assertMalformed("fewer than 3 bytes", null);
        assertMalformed("fewer than 3 bytes", new byte[] {1, 1});
        assertMalformed("version 2; known: 1", new byte[] {2, 1, 1});
        assertMalformed("no part of the reads", new byte[] {1, 0, 0});
        assertMalformed("4 bytes; allowed: 3 and 16 for each of at most 64 tables", new byte[] {1, 1, 1, 1});
        byte[] long65 = new byte[3 + 65 * 16];
        long65[0] = 1;
        long65[1] = 1;
        assertMalformed("1043 bytes; allowed: 3 and 16 for each of at most 64 tables", long65);
    }

    @Test
    void anyBytesAreAnInvitationOrRefused() {
        SplittableRandom random = new SplittableRandom(20170914);
        int invitations = 0;
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(2000) : 3 + 16 * random.nextInt(4)];
            random.nextBytes(bytes);
            if (bytes.length > 0 && random.nextBoolean()) {
                bytes[0] = 1;
            }
            try {
                Invitation invitation = Invitation.decode(bytes);
                assertTrue(invitation.fraction() > 0 && invitation.fraction() <= 1);
                assertEquals(
                        invitation.tables(),
                        Invitation.decode(invitation.encode()).tables());
                assertTrue(bytes.length > 3 + 16 || Arrays.equals(bytes, invitation.encode()));
                invitations++;
            } catch (MalformedReportException e) {
                // What it says is checked above.
            }
        }
        assertTrue(invitations > 10_000, "the rounds reach what is valid");
    }
}
