// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The picks of one batch of counters, while replicas stop. */
class LeaderSteeringInNodeTest {
    private static final Range<Token> RANGE = new Range<>(new LongToken(0), new LongToken(100));

    private final Set<InetAddressAndPort> serving = new HashSet<>(Set.of(node(2), node(3), node(4)));
    private final Set<InetAddressAndPort> elsewhere = new HashSet<>();
    private final Cassandra50 version = new Cassandra50() {
        @Override
        public boolean isPickingCounterLeader() {
            return true;
        }

        @Override
        public boolean canLeadCounters(InetAddressAndPort node) {
            return serving.contains(node);
        }
    };
    private final SimpleSnitch snitch = new SimpleSnitch() {
        @Override
        public String getDatacenter(InetAddressAndPort node) {
            return elsewhere.contains(node) ? "elsewhere" : super.getDatacenter(node);
        }
    };
    private long ringVersion = 7;
    private final LeaderSteering steering =
            new LeaderSteering(version, snitch, null, () -> ringVersion, new Failures());
    private final CounterUpdate update = CounterUpdate.current();

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    @AfterEach
    void end() {
        update.clear();
    }

    private List<InetAddressAndPort> leftToPick(InetAddressAndPort... replicas) {
        return List.of(replicas).stream()
                .filter(replica -> !steering.isPassedOver(Replica.fullReplica(replica, RANGE)))
                .collect(Collectors.toList());
    }

    private void earlierCounterWentTo(InetAddressAndPort replica) {
        update.begin("ks");
        update.choose(RANGE, CounterUpdate.Leader.at(replica, ringVersion));
    }

    @Test
    void allCountersOfARangeHaveOneLeader() {
        earlierCounterWentTo(node(2));
        assertEquals(List.of(node(2)), leftToPick(node(2), node(3), node(4)));
    }

    /** Otherwise none would be left, and the client told that nothing was applied, though a part of its batch was. */
    @Test
    void aLeaderThatStopsMeanwhileIsReplacedByOneThatServes() {
        earlierCounterWentTo(node(2));
        serving.remove(node(2));
        assertEquals(List.of(node(3)), leftToPick(node(3), node(4)));
        assertEquals(List.of(node(3)), leftToPick(node(4), node(3)), "the same for the rest of the batch");
    }

    @Test
    void aLeaderThatStopsDuringAPickIsReplacedByOneThatWasNotPassedOver() {
        earlierCounterWentTo(node(2));
        assertTrue(steering.isPassedOver(Replica.fullReplica(node(3), RANGE)));
        serving.remove(node(2));
        assertFalse(steering.isPassedOver(Replica.fullReplica(node(4), RANGE)));
    }

    /** It moved or left while a batch waited for an answer: Cassandra does not list it, and none would be left. */
    @Test
    void aLeaderThatMayBeNoReplicaAnyMoreIsReplacedByOneThatIs() {
        earlierCounterWentTo(node(2));
        ringVersion++;
        assertEquals(List.of(node(3)), leftToPick(node(3), node(4)));
        assertEquals(List.of(node(3)), leftToPick(node(4), node(3)), "the same for the rest of the batch");
    }

    @Test
    void aReplicaElsewhereDoesNotReplaceIt() {
        earlierCounterWentTo(node(2));
        serving.remove(node(2));
        elsewhere.add(node(3));
        assertEquals(List.of(node(4)), leftToPick(node(3), node(4)));
    }

    @Test
    void thoseOfThisDatacenterThatServeMayLead() {
        elsewhere.add(node(3));
        serving.remove(node(4));
        assertFalse(steering.mayLead(node(2)), "before the first look");
        steering.look(List.of(node(2), node(3), node(4)));
        assertTrue(steering.mayLead(node(2)));
        assertFalse(steering.mayLead(node(3)));
        assertFalse(steering.mayLead(node(4)));
    }

    /** Cassandra lists the live replicas before it asks for their datacenters: one that came up since is not listed. */
    @Test
    void aReplicaThatHasJustComeUpIsNoCandidate() {
        List<InetAddressAndPort> all = List.of(node(2), node(3), node(4), node(5));
        assertEquals(List.of(), steering.candidatesAmong(all.stream()), "before the first look");
        serving.remove(node(3));
        elsewhere.add(node(5));
        serving.add(node(5));
        steering.look(all);
        assertEquals(List.of(), steering.candidatesAmong(all.stream()), "one look may come as late as a replica");
        steering.look(all);
        serving.add(node(3));
        assertEquals(List.of(node(2), node(4)), steering.candidatesAmong(all.stream()));
        steering.look(all);
        assertEquals(List.of(node(2), node(4)), steering.candidatesAmong(all.stream()));
        steering.look(all);
        serving.remove(node(4));
        assertEquals(List.of(node(2), node(3)), steering.candidatesAmong(all.stream()));
    }
}
