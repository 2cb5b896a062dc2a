// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.OwnTasks;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.HeartBeatState;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.ConnectionType;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.PingRequest;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values that outgoing messages carry, and values read from incoming ones. */
class WireTest {
    private static final List<Verb> PINGS = List.of(Verb.PING_REQ);
    private static final byte[] ONE = {1};
    private static final byte[] TWO = {2};
    /** Gossip does not know it. */
    private static final InetAddressAndPort STRANGER = node(9);

    private final Failures failures = new Failures();
    /** The messages sent as replacements. */
    private final List<Message<?>> sent = new ArrayList<>();

    private final WireHandlers handlers = new WireHandlers();
    private Wire wire;
    private Message<PingRequest> ping;

    @BeforeAll
    static void initialize() {
        DatabaseDescriptor.clientInitialization();
    }

    @BeforeEach
    void makeWire() {
        wire = new Wire(new Cassandra50(), failures, this::sentByCassandra, node -> !node.equals(STRANGER));
        ping = Message.out(Verb.PING_REQ, PingRequest.get(ConnectionType.URGENT_MESSAGES));
    }

    /** As in Cassandra: each message that is sent passes the sinks. */
    private void sentByCassandra(Message<?> message, InetAddressAndPort to) {
        if (wire.onOutbound(message, to)) {
            sent.add(message);
        }
    }

    private void send(Message<?> message) {
        sentByCassandra(message, node(1));
    }

    private byte[] carried(String param) {
        assertEquals(1, sent.size());
        return CustomParams.of(sent.get(0), param);
    }

    @Test
    void aMessageOnWhichNothingRidesIsTheSameMessage() {
        handlers.ride(PINGS, "a", "", (message, to) -> null);
        wire.install(handlers);
        send(ping);
        assertEquals(List.of(ping), sent);
    }

    @Test
    void whatSeveralLetRideGoesOutOnOneMessage() {
        List<InetAddressAndPort> asked = new ArrayList<>();
        handlers.ride(PINGS, "a", "", (message, to) -> {
            asked.add(to);
            return ONE;
        });
        wire.install(handlers);
        WireHandlers others = new WireHandlers();
        others.ride(PINGS, "b", "", (message, to) -> {
            asked.add(to);
            return TWO;
        });
        wire.install(others);
        send(ping);
        assertArrayEquals(ONE, carried("a"));
        assertArrayEquals(TWO, carried("b"));
        assertEquals(ping.id(), sent.get(0).id());
        assertEquals(List.of(node(1), node(1)), asked, "each is asked once");
    }

    @Test
    void whileNothingIsDoneMessagesOfRequestsAreLeftAloneAndQuestionsAreNot() {
        List<Verb> heard = new ArrayList<>();
        handlers.ride(List.of(Verb.READ_REQ, Verb.PING_REQ), "a", "", (message, to) -> ONE);
        for (Verb verb : List.of(Verb.READ_REQ, Verb.PING_REQ)) {
            handlers.receiveAll(verb, "", (message, none) -> {
                heard.add(message.verb());
                return false;
            });
        }
        wire.install(handlers);
        AtomicBoolean idle = new AtomicBoolean(true);
        wire.restWhile(idle::get);
        Message<?> read = Message.out(Verb.READ_REQ, "");
        assertTrue(wire.onInbound(read));
        assertFalse(wire.onInbound(ping));
        send(read);
        assertNull(carried("a"));
        sent.clear();
        send(ping);
        assertArrayEquals(ONE, carried("a"));
        sent.clear();
        idle.set(false);
        assertFalse(wire.onInbound(read));
        send(read);
        assertArrayEquals(ONE, carried("a"));
        assertEquals(List.of(Verb.PING_REQ, Verb.READ_REQ), heard);
    }

    /** Its stage counts it among those that it served: by their number the node would seem to be quick. */
    @Test
    void aMessageThatCassandraDoesNotGetCountsAsOneOfThePluginsTasks() {
        AtomicBoolean refuses = new AtomicBoolean();
        handlers.receiveAll(Verb.COUNTER_MUTATION_REQ, "", (update, none) -> !refuses.get());
        wire.install(handlers);
        Message<?> update = Message.out(Verb.COUNTER_MUTATION_REQ, "");
        long before = OwnTasks.of(Stage.COUNTER_MUTATION);
        assertTrue(wire.onInbound(update));
        assertEquals(before, OwnTasks.of(Stage.COUNTER_MUTATION));
        refuses.set(true);
        assertFalse(wire.onInbound(update));
        assertEquals(before + 1, OwnTasks.of(Stage.COUNTER_MUTATION));
    }

    @Test
    void aMessageOfAnotherVerbPassesUnasked() {
        handlers.ride(List.of(Verb.READ_RSP), "a", "", (message, to) -> ONE);
        wire.install(handlers);
        send(ping);
        assertNull(carried("a"));
    }

    @Test
    void whereARiderThrowsTheMessageAndTheOthersValuesGoOutAllTheSame() {
        handlers.ride(PINGS, "a", "without a", (message, to) -> {
            throw new IllegalStateException();
        });
        handlers.ride(PINGS, "b", "", (message, to) -> ONE);
        wire.install(handlers);
        send(ping);
        assertNull(carried("a"));
        assertArrayEquals(ONE, carried("b"));
        assertEquals(1, failures.count());
    }

    @Test
    void afterAMessageThatCouldNotBeSentTheNextIsReplacedAsEver() {
        boolean[] broken = {true};
        wire = new Wire(
                new Cassandra50(),
                failures,
                (message, to) -> {
                    if (broken[0]) {
                        throw new IllegalStateException("closed");
                    }
                    sentByCassandra(message, to);
                },
                node -> true);
        handlers.ride(PINGS, "a", "", (message, to) -> ONE);
        wire.install(handlers);
        assertThrows(IllegalStateException.class, () -> send(ping));
        broken[0] = false;
        send(ping);
        assertArrayEquals(ONE, carried("a"));
    }

    @Test
    void aValueIsTakenOffWhatCarriesItAndCassandraGetsTheMessageToo() {
        List<byte[]> taken = new ArrayList<>();
        handlers.receive(PINGS, "a", "", (message, value) -> taken.add(value));
        wire.install(handlers);
        assertTrue(wire.onInbound(ping));
        assertEquals(List.of(), taken);
        assertTrue(wire.onInbound(CustomParams.with(ping, "a", ONE)));
        assertArrayEquals(ONE, taken.get(0));
    }

    /** As while a coordinator that is decommissioned goes on. */
    @Test
    void ofANodeThatHasLeftNothingIsTakenAndItIsToldNothingUntilItJoins() {
        List<byte[]> taken = new ArrayList<>();
        handlers.ride(PINGS, "a", "", (message, to) -> ONE);
        handlers.receive(PINGS, "a", "", (message, value) -> taken.add(value));
        wire.install(handlers);
        Message<?> carrying = CustomParams.with(ping, "a", TWO).withFrom(node(1));
        wire.departed().onRemove(node(1));
        assertTrue(wire.onInbound(carrying));
        send(ping);
        assertEquals(List.of(), taken);
        assertNull(carried("a"));
        sent.clear();
        wire.departed().onJoin(node(1), new EndpointState(new HeartBeatState(1, 1)));
        assertTrue(wire.onInbound(carrying));
        send(ping);
        assertEquals(List.of(TWO), taken);
        assertArrayEquals(ONE, carried("a"));
        wire.departed().onRemove(STRANGER);
        wire.departed().onRemove(node(2));
        wire.departed().retain(node -> !node.equals(STRANGER));
        assertTrue(wire.departed().has(node(2)));
        assertFalse(wire.departed().has(STRANGER), "nothing is known of it, and nothing remembered");
    }

    @Test
    void nothingIsTakenFromANodeThatGossipDoesNotKnow() {
        List<byte[]> taken = new ArrayList<>();
        handlers.receive(PINGS, "a", "", (message, value) -> taken.add(value));
        wire.install(handlers);
        assertTrue(wire.onInbound(CustomParams.with(ping, "a", ONE).withFrom(STRANGER)));
        assertEquals(List.of(), taken);
        assertTrue(wire.onInbound(CustomParams.with(ping, "a", ONE).withFrom(node(2))));
        assertEquals(List.of(ONE), taken);
    }

    @Test
    void aMessageForThePluginAloneIsKeptFromCassandra() {
        handlers.receive(PINGS, "a", "", (message, value) -> false);
        wire.install(handlers);
        assertFalse(wire.onInbound(CustomParams.with(ping, "a", ONE)));
        assertTrue(wire.onInbound(CustomParams.with(ping, "b", ONE)));
    }

    @Test
    void whereAReceiverThrowsCassandraGetsTheMessage() {
        handlers.receive(PINGS, "a", "is ignored", (message, value) -> {
            throw new IllegalStateException();
        });
        wire.install(handlers);
        assertTrue(wire.onInbound(CustomParams.with(ping, "a", ONE)));
        assertEquals(1, failures.count());
    }

    /** Cassandra's own decoders assert what a peer may have sent otherwise. */
    @Test
    void whereAnAssertionFailsCassandraGetsTheMessageToo() {
        handlers.receive(PINGS, "a", "is ignored too", (message, value) -> {
            throw new AssertionError();
        });
        wire.install(handlers);
        assertTrue(wire.onInbound(CustomParams.with(ping, "a", ONE)));
        assertEquals(1, failures.count());
    }

    @Test
    void whoeverReceivesAVerbSeesAllOfIt() {
        List<Message<?>> seen = new ArrayList<>();
        handlers.receiveAll(Verb.PING_REQ, "", (message, value) -> seen.add(message));
        wire.install(handlers);
        assertTrue(wire.onInbound(ping));
        assertEquals(List.of(ping), seen);
    }

    @Test
    void newsAreHeardAndGoNoFurther() {
        List<byte[]> heard = new ArrayList<>();
        handlers.hear("news", "", (message, value) -> heard.add(value));
        wire.install(handlers);
        assertFalse(wire.onInbound(CustomParams.with(ping, "news", TWO)));
        assertArrayEquals(TWO, heard.get(0));
    }

    @Test
    void newsThatCannotBeHeardAreAPingForCassandra() {
        handlers.hear("news", "are not heard", (message, value) -> {
            throw new IllegalStateException();
        });
        wire.install(handlers);
        assertTrue(wire.onInbound(CustomParams.with(ping, "news", TWO)));
        assertEquals(1, failures.count());
    }
}
