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
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class UnmarkedReadsTest {
    private static final byte[] ANNOUNCES = {UnmarkedReads.ANNOUNCES};
    private static final byte[] EXEMPT = {UnmarkedReads.EXEMPT};
    private static InetAddressAndPort node;
    private static InetAddressAndPort other;

    private long clock;
    private final Set<InetAddressAndPort> known = new HashSet<>(Set.of(node, other));
    private final UnmarkedReads reads = new UnmarkedReads(known::contains, () -> clock);

    @BeforeAll
    static void nodes() throws UnknownHostException {
        node = InetAddressAndPort.getByName("127.0.0.2");
        other = InetAddressAndPort.getByName("127.0.0.3");
    }

    @Test
    void eachReplicaIsToldOnceInATime() {
        // The clock may be near its end, or begin below zero.
        for (long now : new long[] {0, -5, Long.MAX_VALUE - 1}) {
            UnmarkedReads coordinator = new UnmarkedReads(peer -> true, () -> now);
            assertArrayEquals(ANNOUNCES, coordinator.mayBeRefused(node, now));
            assertNull(coordinator.mayBeRefused(node, now + UnmarkedReads.EACH_NANOS - 1));
            assertArrayEquals(ANNOUNCES, coordinator.mayBeRefused(other, now + 1));
            assertArrayEquals(ANNOUNCES, coordinator.mayBeRefused(node, now + UnmarkedReads.EACH_NANOS));
            assertNull(coordinator.mayBeRefused(node, now + UnmarkedReads.EACH_NANOS + 1));
        }
    }

    @Test
    void announcementsHoldForAWhile() {
        for (long now : new long[] {0, -5, Long.MAX_VALUE - 1}) {
            UnmarkedReads replica = new UnmarkedReads(known::contains, () -> now);
            assertFalse(replica.isRefusable(node, null, now), "nothing was announced");
            assertTrue(replica.isRefusable(node, ANNOUNCES, now));
            long end = now + UnmarkedReads.HOLDS_NANOS;
            assertTrue(replica.isRefusable(node, null, end));
            assertFalse(replica.isRefusable(other, null, end), "that is another one's");
            assertFalse(replica.isRefusable(node, EXEMPT, end));
            assertTrue(replica.isRefusable(node, null, end), "an exemption is of one read");
            assertFalse(replica.isRefusable(node, null, end + 1));
            assertTrue(replica.isRefusable(node, ANNOUNCES, end - 1));
            assertTrue(replica.isRefusable(node, null, end + 1), "it is renewed");
        }
    }

    @Test
    void anAnnouncementOfAClockThatIsAheadHoldsForNoLonger() {
        for (long now : new long[] {0, -5, Long.MAX_VALUE - 1}) {
            UnmarkedReads replica = new UnmarkedReads(known::contains, () -> now);
            long ahead = now + TimeUnit.HOURS.toNanos(1);
            assertTrue(replica.isRefusable(node, ANNOUNCES, UnmarkedReads.madeAt(ahead, now)));
            long later = now + 2 * UnmarkedReads.HOLDS_NANOS;
            assertFalse(replica.isRefusable(node, null, UnmarkedReads.madeAt(later, later)), "its clock was set back");
            assertEquals(now - 1, UnmarkedReads.madeAt(now - 1, now));
        }
    }

    /** However late it is looked at: the threads may have stood still, and the read waited for one. */
    @Test
    void whatWasMadeWhileAnAnnouncementHeldMayBeRefused() {
        assertTrue(reads.isRefusable(node, ANNOUNCES, 0));
        for (long each = 1; each < 20; each++) {
            assertTrue(reads.isRefusable(node, ANNOUNCES, each * UnmarkedReads.EACH_NANOS));
        }
        assertTrue(reads.isRefusable(node, null, UnmarkedReads.BEGINS_NANOS));
        assertFalse(reads.isRefusable(node, null, UnmarkedReads.BEGINS_NANOS - 1), "what was sent before it was noted");
        assertTrue(reads.isRefusable(node, ANNOUNCES, 0), "one that was overtaken");
        assertTrue(reads.isRefusable(node, null, 19 * UnmarkedReads.EACH_NANOS + UnmarkedReads.HOLDS_NANOS));
        long later = TimeUnit.SECONDS.toNanos(30);
        reads.sweep(later);
        assertTrue(reads.isRefusable(node, null, UnmarkedReads.BEGINS_NANOS), "it has waited for half a minute");
        assertTrue(reads.isRefusable(node, ANNOUNCES, later));
        assertFalse(reads.isRefusable(node, null, later - 1), "between two of them nothing holds");
    }

    @Test
    void whatMayNotBeRefusedSaysSoForAsLongAsAReplicaMayTakeItForAnother() {
        assertTrue(reads.isUnannounced());
        assertNull(reads.mayNotBeRefused(node, 0), "it would be for nobody");
        assertArrayEquals(ANNOUNCES, reads.mayBeRefused(node, 0));
        assertFalse(reads.isUnannounced());
        assertArrayEquals(EXEMPT, reads.mayNotBeRefused(node, -1), "made before, and sent after it");
        assertNull(reads.mayNotBeRefused(other, 0));
        long longer = UnmarkedReads.EXEMPTS_NANOS;
        assertTrue(longer >= UnmarkedReads.HOLDS_NANOS + TimeUnit.MILLISECONDS.toNanos(500), "clocks differ");
        assertArrayEquals(EXEMPT, reads.mayNotBeRefused(node, longer));
        assertNull(reads.mayNotBeRefused(node, longer + 1));
        assertArrayEquals(EXEMPT, UnmarkedReads.exemption());
    }

    /** Its message waited for a processor: another may have been sent without a value since it was made. */
    @Test
    void anAnnouncementThatIsNotedLateIsNotSent() {
        assertTrue(UnmarkedReads.NOTED_NANOS < UnmarkedReads.BEGINS_NANOS, "noted before it holds");
        assertNull(reads.mayNotBeRefused(node, UnmarkedReads.NOTED_NANOS), "nothing is noted yet");
        clock = UnmarkedReads.NOTED_NANOS + 1;
        assertNull(reads.mayBeRefused(node, 0));
        assertNull(reads.mayNotBeRefused(node, clock), "nor is it noted");
        assertArrayEquals(ANNOUNCES, reads.mayBeRefused(node, 1), "the next one in time has its turn");
        clock = UnmarkedReads.EACH_NANOS + UnmarkedReads.NOTED_NANOS + 1;
        assertArrayEquals(ANNOUNCES, reads.mayBeRefused(node, UnmarkedReads.EACH_NANOS + 1));
    }

    /** Its thread stood still after it was found in time. */
    @Test
    void anAnnouncementThatBecomesLateAsItIsNotedIsNotSent() {
        UnmarkedReads stopped = new UnmarkedReads(peer -> true, () -> clock++ * UnmarkedReads.NOTED_NANOS * 2);
        assertNull(stopped.mayBeRefused(node, 0));
        assertArrayEquals(EXEMPT, stopped.mayNotBeRefused(node, 0), "another thread may have announced it before");
    }

    /** All its pages say when the statement began, while this node announced itself to the replica. */
    @Test
    void aLateReadOfAnEarlierStatementSaysThatItMayNotBeRefused() {
        UnmarkedReads replica = new UnmarkedReads(peer -> true, () -> 0);
        for (long nanos = 0; nanos <= UnmarkedReads.HOLDS_NANOS; nanos += UnmarkedReads.EACH_NANOS) {
            clock = nanos;
            assertTrue(replica.isRefusable(node, reads.mayBeRefused(node, nanos), nanos));
        }
        long began = UnmarkedReads.HOLDS_NANOS / 2;
        for (int seconds : new int[] {4, 30, 60}) {
            long now = TimeUnit.SECONDS.toNanos(seconds);
            reads.sweep(now);
            replica.sweep(now);
            assertTrue(replica.isRefusable(node, null, began), "the replica remembers");
            assertArrayEquals(EXEMPT, reads.mayNotBeRefused(node, began));
        }
        long later = TimeUnit.SECONDS.toNanos(65);
        reads.sweep(later);
        replica.sweep(later);
        assertTrue(reads.isUnannounced());
        assertFalse(replica.isRefusable(node, null, began));
    }

    @Test
    void anAnnouncementOutlastsOneThatIsLost() {
        assertTrue(UnmarkedReads.HOLDS_NANOS >= 2 * UnmarkedReads.EACH_NANOS);
    }

    @Test
    void aNodeThatGossipDoesNotKnowAnnouncesNothing() {
        known.remove(node);
        assertFalse(reads.isRefusable(node, ANNOUNCES, 0));
        assertFalse(reads.isRefusable(node, null, UnmarkedReads.BEGINS_NANOS));
    }

    @Test
    void whatIsOldIsForgotten() {
        assertArrayEquals(ANNOUNCES, reads.mayBeRefused(node, 0));
        assertTrue(reads.isRefusable(node, ANNOUNCES, 0));
        long kept = UnmarkedReads.EXEMPTS_NANOS + TimeUnit.MINUTES.toNanos(1);
        reads.sweep(kept);
        assertFalse(reads.isUnannounced());
        reads.sweep(kept + 1);
        assertTrue(reads.isUnannounced());
        reads.sweep(TimeUnit.MINUTES.toNanos(2));
        assertFalse(reads.isRefusable(node, null, UnmarkedReads.BEGINS_NANOS));
        assertArrayEquals(ANNOUNCES, reads.mayBeRefused(node, 1));
    }

    @Test
    void onlyTheOneValueAnnounces() {
        MangledBytes.give(43, UnmarkedReadsTest::anyByte, value -> {
            UnmarkedReads replica = new UnmarkedReads(peer -> true, () -> clock);
            boolean isRefusable = replica.isRefusable(node, value, 0);
            assertEquals(value.length == 1 && value[0] == 0, isRefusable);
            assertEquals(isRefusable, replica.isRefusable(node, null, UnmarkedReads.BEGINS_NANOS));
            return isRefusable;
        });
    }

    private static byte[] anyByte(SplittableRandom random) {
        return new byte[] {(byte) random.nextInt(4)};
    }
}
