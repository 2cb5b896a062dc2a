// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.TakenFromPeers;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.limit.Operation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What peers answer to this node's questions and cannot be read is counted, and holds nothing up. */
class AnswersFromPeersInNodeTest {
    private static final InetAddressAndPort PEER = node(7);
    private static final byte[] NONSENSE = {0x7f, 0x7f, 0x7f};

    private final Cassandra50 version = new Cassandra50();
    private final Failures failures = new Failures();
    private final OwnMessages messages = new OwnMessages(version, failures);
    private final LimitsInForce limits = new LimitsInForce(failures, id -> null);

    /** Has the peer in the place of the only replica in this process, which is this node. */
    private static final class PeerHoldsAll extends SimpleSnitch {
        @Override
        @SuppressWarnings("unchecked") // of a token's replicas they make others
        public <C extends ReplicaCollection<? extends C>> C sortedByProximity(InetAddressAndPort from, C replicas) {
            EndpointsForToken own = (EndpointsForToken) (ReplicaCollection<?>) replicas;
            Replica peer = Replica.fullReplica(PEER, own.get(0).range());
            return (C) (ReplicaCollection<?>) EndpointsForToken.of(own.token(), peer);
        }
    }

    @BeforeEach
    void begin() throws IOException {
        NodeInProcess.begin();
        Gossiper.instance.initializeNodeUnsafe(PEER, UUID.randomUUID(), 1);
        peerPublishes("isotherm.wire:1");
    }

    @AfterEach
    void end() {
        peerPublishes("");
        MessagingService.instance().outboundSink.clear();
        assertEquals(0, failures.count());
    }

    private void peerPublishes(String wireState) {
        Gossiper.instance.injectApplicationState(PEER, version.wireState(), version.gossipValue(wireState));
    }

    /** The peer answers each question at once with nonsense; nothing leaves this process. */
    private void answerWith(String param) {
        Wire wire = new Wire(version, failures);
        TakenFromPeers.takeAnswers(wire);
        MessagingService.instance().outboundSink.add((question, to) -> {
            TakenFromPeers.answer(wire, PEER, question, param, NONSENSE);
            return false;
        });
    }

    @Test
    void anAnswerThatDecidesNothingIsCounted() {
        UnreadableValues unreadable = new UnreadableValues();
        ReplicaLookup replicas = new ReplicaLookup(FBUtilities.getBroadcastAddressAndPort(), new PeerHoldsAll());
        AdmissionQuestions questions = new AdmissionQuestions(limits, null, replicas, messages, unreadable, 8);
        LimitedTable table = new LimitedTable(
                NodeInProcess.table("answered", "comment = ''").metadata(),
                TableLimits.parse(Map.of("max_writes_per_second", "1")),
                new LimitCounts(),
                Map.of());
        TouchedPartition asked = new TouchedPartition(table, Operation.WRITE, Int32Type.instance.decompose(1));
        answerWith("isotherm.answer");
        assertNull(questions.refused(List.of(asked), 1));
        assertEquals(1, unreadable.count());
        assertEquals(1, questions.unanswered());
    }

    @Test
    void limitsOfPartitionsThatCannotBeReadAreCounted() {
        LimitedKeys keys =
                new LimitedKeys(limits, FBUtilities.getBroadcastAddressAndPort(), messages, version, failures);
        answerWith("isotherm.limited_keys_are");
        keys.ask(PEER);
        assertEquals(1, keys.malformed());
        assertEquals(List.of(), keys.known().words());
    }
}
