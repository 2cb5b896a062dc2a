// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.guard.GuardSettings;
import dev.isotherm.guard.ReadGuard;
import dev.isotherm.guard.ReplicaStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForRange;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Node 1 coordinates. */
class GuardedReadsTest {
    private static final long SECOND = 1_000_000_000;

    private final RuntimeSwitch enabled = new RuntimeSwitch(true);
    private final Set<InetAddressAndPort> dead = new HashSet<>();
    private final AvoidanceLog log = new AvoidanceLog(enabled);
    private final ReadGuard<InetAddressAndPort> guard = new ReadGuard<>(
            GuardSettings.defaults(), node(1), () -> 5 * SECOND, () -> 10 * SECOND, node -> true, log, 0);
    private final Set<InetAddressAndPort> far = new HashSet<>();
    private final GuardedReads reads =
            new GuardedReads(enabled, guard, node -> !dead.contains(node), node -> !far.contains(node));
    private long now;

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    private static Range<Token> range() {
        return new Range<>(
                Murmur3Partitioner.instance.getMinimumToken(), Murmur3Partitioner.instance.getMinimumToken());
    }

    private static EndpointsForToken replicas(int... nodes) {
        EndpointsForToken.Builder builder = EndpointsForToken.builder(new Murmur3Partitioner.LongToken(7));
        for (int node : nodes) {
            builder.add(Replica.fullReplica(node(node), range()));
        }
        return builder.build();
    }

    private static EndpointsForRange ofRange(int... nodes) {
        EndpointsForRange.Builder builder = EndpointsForRange.builder(range());
        for (int node : nodes) {
            builder.add(Replica.fullReplica(node(node), range()));
        }
        return builder.build();
    }

    private static List<InetAddressAndPort> nodes(int... nodes) {
        return replicas(nodes).endpointList();
    }

    private void lookFor(long nanos) {
        for (long end = now + nanos; now < end; now += ReadGuard.LOOK_NANOS) {
            guard.look(now);
        }
    }

    /** Node 3 answers nothing for three seconds. */
    private void letNode3BeSilent() {
        lookFor(SECOND / 10);
        for (int id = 0; id < 5; id++) {
            guard.sent(node(3), id, now);
        }
        // Of a replica with so few answers a read is late after a second; after one more a trial is due.
        lookFor(SECOND + SECOND / 10);
    }

    @Test
    void whileNothingIsAvoidedTheOrderIsTheSameObject() {
        EndpointsForToken given = replicas(3, 2, 1);
        assertSame(given, reads.guarded(given));
    }

    @Test
    void aSilentReplicaComesLast() {
        letNode3BeSilent();
        assertEquals(nodes(2, 1, 3), reads.guarded(replicas(3, 2, 1)).endpointList());
        assertEquals(nodes(2, 1, 3), reads.guarded(ofRange(3, 2, 1)).endpointList(), "range reads go around it too");
        assertEquals(2, reads.moved());
        assertEquals(1, log.avoidances());
    }

    /** Of the ranges of nodes 3, 1, 2 and 2, 4, 3 one read of one replica would be of node 2 or 3. */
    @Test
    void readsOfTwoRangesDoNotBecomeOneOfAnAvoidedReplica() {
        EndpointsForRange left = ofRange(1);
        EndpointsForRange right = ofRange(4);
        assertTrue(reads.mayMerge(ofRange(3), left, right), "nothing is avoided");
        letNode3BeSilent();
        assertFalse(reads.mayMerge(ofRange(3), left, right));
        assertTrue(reads.mayMerge(ofRange(2), left, right), "node 2 is used");
        assertTrue(reads.mayMerge(ofRange(3), ofRange(3), right), "node 3 is contacted in any case");
        assertTrue(reads.mayMerge(ofRange(3), left, ofRange(3)));
        enabled.set(false);
        assertTrue(reads.mayMerge(ofRange(3), left, right));
        enabled.set(true);
        guard.takeOut(node(2), now + 60 * SECOND);
        assertFalse(reads.mayMerge(ofRange(2), left, right), "an operator has taken it out");
    }

    @Test
    void aTransientReplicaNeverPassesAFullOneWhichAReadMustContact() {
        letNode3BeSilent();
        guard.takeOut(node(1), 60 * SECOND);
        EndpointsForToken given = EndpointsForToken.builder(new Murmur3Partitioner.LongToken(7))
                .add(Replica.fullReplica(node(3), range()))
                .add(Replica.transientReplica(node(2), range()))
                .add(Replica.fullReplica(node(1), range()))
                .build();
        assertSame(given, reads.guarded(given));
        assertEquals(0, reads.moved());
    }

    @Test
    void aGuardThatIsSwitchedOffAvoidsAndCountsNothing() {
        enabled.setting("guard.enabled").change("false");
        letNode3BeSilent();
        EndpointsForToken given = replicas(3, 2, 1);
        assertSame(given, reads.guarded(given));
        assertEquals(0, log.avoidances());
        ReplicaStatus seen = guard.statusOf(node(3), now);
        assertEquals("avoided", seen.state(), "it goes on watching");
        ReplicaStatus shown = seen.switchedOff();
        assertEquals("off", shown.state());
        assertEquals("", shown.reason());
        assertEquals(-1, shown.forNanos());
        assertEquals(seen.unanswered(), shown.unanswered());
    }

    @Test
    void anOrderThatItEndsAnywayStays() {
        letNode3BeSilent();
        EndpointsForToken given = replicas(1, 2, 3);
        assertSame(given, reads.guarded(given));
        assertEquals(0, reads.moved());
    }

    @Test
    void whereNoCopyTriesItOneReadDoes() {
        letNode3BeSilent();
        lookFor(SECOND);
        assertEquals(nodes(3, 2, 1), reads.guarded(replicas(3, 2, 1)).endpointList());
        assertEquals(nodes(2, 1, 3), reads.guarded(replicas(3, 2, 1)).endpointList());
    }

    @Test
    void theDeadStayBehindTheAvoidedAndTheAvoidedBeforeThoseTakenOut() {
        letNode3BeSilent();
        guard.takeOut(node(2), now + 60 * SECOND);
        dead.add(node(4));
        assertEquals(nodes(5, 3, 2, 4), reads.guarded(replicas(4, 2, 3, 5)).endpointList());
    }

    @Test
    void whatIsMovedInAnotherDatacenterOrIsDeadIsNotReadAround() {
        letNode3BeSilent();
        far.addAll(nodes(3, 4));
        assertEquals(nodes(1, 2, 4, 3), reads.guarded(replicas(1, 2, 3, 4)).endpointList());
        dead.add(node(2));
        assertEquals(nodes(1, 5, 3, 2), reads.guarded(replicas(2, 1, 5, 3)).endpointList());
        assertEquals(0, reads.moved());
        far.remove(node(3));
        assertEquals(nodes(1, 4, 3), reads.guarded(replicas(3, 1, 4)).endpointList());
        assertEquals(1, reads.moved());
    }

    /** Of nine in ten of its reads that are in time none is quicker from afar. */
    @Test
    void aReplicaOfWhichSomeReadsAreLateStaysBeforeOtherDatacenters() {
        for (int id = 0; id < 500 && log.avoidances() == 0; id++) {
            boolean isLate = id >= 350 && id % 10 == 0;
            guard.sent(node(3), id, now - (isLate ? SECOND / 2 : SECOND / 200));
            guard.answered(node(3), id, now);
            lookFor(ReadGuard.LOOK_NANOS);
        }
        assertEquals(1, log.avoidances());
        assertEquals(nodes(2, 3), reads.guarded(replicas(3, 2)).endpointList());
        far.addAll(nodes(4, 5));
        EndpointsForToken given = replicas(3, 4, 5);
        assertSame(given, reads.guarded(given));
        assertEquals(nodes(2, 3, 4), reads.guarded(replicas(3, 2, 4)).endpointList());
    }

    @Test
    void switchedOffItChangesNothing() {
        letNode3BeSilent();
        enabled.set(false);
        EndpointsForToken given = replicas(3, 2, 1);
        assertSame(given, reads.guarded(given));
    }

    @Test
    void aSingleReplicaIsReadWhateverItDoes() {
        letNode3BeSilent();
        EndpointsForToken given = replicas(3);
        assertSame(given, reads.guarded(given));
    }
}
