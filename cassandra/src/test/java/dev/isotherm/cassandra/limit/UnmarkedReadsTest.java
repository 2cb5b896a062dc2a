// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.wire.MangledBytes;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class UnmarkedReadsTest {
    private static final byte[] ANNOUNCES = {UnmarkedReads.ANNOUNCES};
    private static final byte[] EXEMPT = {UnmarkedReads.EXEMPT};
    private static InetAddressAndPort node;
    private static InetAddressAndPort other;

    private final Set<InetAddressAndPort> known = new HashSet<>(Set.of(node, other));
    private final UnmarkedReads reads = new UnmarkedReads(known::contains);

    @BeforeAll
    static void nodes() throws UnknownHostException {
        node = InetAddressAndPort.getByName("127.0.0.2");
        other = InetAddressAndPort.getByName("127.0.0.3");
    }

    @Test
    void eachReplicaIsToldOnceInATime() {
        // The clock may be near its end, or begin below zero.
        for (long now : new long[] {0, -5, Long.MAX_VALUE - 1}) {
            UnmarkedReads coordinator = new UnmarkedReads(peer -> true);
            assertArrayEquals(ANNOUNCES, coordinator.mayBeRefused(node, now));
            assertNull(coordinator.mayBeRefused(node, now + UnmarkedReads.EACH_NANOS - 1));
            assertArrayEquals(ANNOUNCES, coordinator.mayBeRefused(other, now + 1));
            assertArrayEquals(ANNOUNCES, coordinator.mayBeRefused(node, now + UnmarkedReads.EACH_NANOS));
            assertNull(coordinator.mayBeRefused(node, now + UnmarkedReads.EACH_NANOS + 1));
        }
    }

    @Test
    void announcementsHoldForAWhile() {
        assertFalse(reads.isRefusable(node, null, 0), "nothing was announced");
        assertTrue(reads.isRefusable(node, ANNOUNCES, 0));
        assertTrue(reads.isRefusable(node, null, UnmarkedReads.HOLDS_NANOS));
        assertFalse(reads.isRefusable(other, null, 1), "that is another one's");
        assertFalse(reads.isRefusable(node, EXEMPT, 1));
        assertTrue(reads.isRefusable(node, null, 1), "an exemption is of one read");
        assertFalse(reads.isRefusable(node, null, UnmarkedReads.HOLDS_NANOS + 1));
    }

    @Test
    void anAnnouncementOutlastsOneThatIsLost() {
        assertTrue(UnmarkedReads.HOLDS_NANOS >= 2 * UnmarkedReads.EACH_NANOS);
    }

    @Test
    void aNodeThatGossipDoesNotKnowAnnouncesNothing() {
        known.remove(node);
        assertFalse(reads.isRefusable(node, ANNOUNCES, 0));
        assertFalse(reads.isRefusable(node, null, 0));
    }

    @Test
    void whatIsOldIsForgotten() {
        assertArrayEquals(ANNOUNCES, reads.mayBeRefused(node, 0));
        assertTrue(reads.isRefusable(node, ANNOUNCES, 0));
        reads.sweep(UnmarkedReads.HOLDS_NANOS);
        assertTrue(reads.isRefusable(node, null, UnmarkedReads.HOLDS_NANOS));
        reads.sweep(UnmarkedReads.HOLDS_NANOS + 1);
        assertFalse(reads.isRefusable(node, null, UnmarkedReads.HOLDS_NANOS), "however early it is");
        assertArrayEquals(ANNOUNCES, reads.mayBeRefused(node, 1));
    }

    @Test
    void onlyTheOneValueAnnounces() {
        MangledBytes.give(43, UnmarkedReadsTest::anyByte, value -> {
            UnmarkedReads replica = new UnmarkedReads(peer -> true);
            boolean isRefusable = replica.isRefusable(node, value, 0);
            assertEquals(value.length == 1 && value[0] == 0, isRefusable);
            assertEquals(isRefusable, replica.isRefusable(node, null, 0));
            return isRefusable;
        });
    }

    private static byte[] anyByte(SplittableRandom random) {
        return new byte[] {(byte) random.nextInt(4)};
    }
}
