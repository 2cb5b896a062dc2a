// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.KeptMessages;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How questions and news travel to nodes of this build, of earlier builds and without the plugin. */
class OwnMessagesInNodeTest {
    private static final InetAddressAndPort PEER = node(7);
    private static final byte[] ONE = {1};
    private static final byte[] TWO = {2};
    private static final CassandraVersion VERSION = new Cassandra50();

    /** Nothing leaves this process. */
    private static final KeptMessages KEPT = new KeptMessages();

    private static Wire wire;

    private final Failures failures = new Failures();
    private final OwnMessages messages = new OwnMessages(VERSION, failures);
    private final List<byte[]> answers = new ArrayList<>();

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        KEPT.begin();
        Gossiper.instance.initializeNodeUnsafe(PEER, UUID.randomUUID(), 1);
        wire = new Wire(VERSION, new Failures());
        wire.open();
        WireHandlers handlers = new WireHandlers();
        handlers.answer("question", "answer", "", (asker, question) -> new byte[] {(byte) (question[0] + 1)});
        wire.install(handlers);
    }

    @AfterAll
    static void end() {
        KEPT.end();
    }

    /** Gossip has not begun in this process, as it has ended in one that is drained, or has left the ring. */
    @Test
    void aNodeThatDoesNotGossipAsksNothingByItself() {
        assertFalse(Gossiper.instance.isEnabled());
        assertFalse(messages.mayAskByItself());
    }

    @BeforeEach
    void forget() {
        KEPT.sent().clear();
        peerPublishes("");
    }

    private static void peerPublishes(String wireState) {
        Gossiper.instance.injectApplicationState(PEER, VERSION.wireState(), VERSION.gossipValue(wireState));
    }

    /** What this node publishes, on the peer. */
    private static void peerIsOfThisBuild() {
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        peerPublishes(Gossiper.instance.getApplicationState(self, VERSION.wireState()));
    }

    private static Message<?> sent() {
        assertEquals(1, KEPT.sent().size());
        return KEPT.sent().remove(0);
    }

    private void ask() {
        messages.ask(PEER, "question", ONE, "answer", answers::add);
    }

    @Test
    void noMessageToANodeOfThisBuildIsServedByItsGossipStage() {
        peerIsOfThisBuild();
        messages.tell(PEER, "news", ONE);
        assertEquals(Stage.REQUEST_RESPONSE, KEPT.sent().get(0).verb().stage);
        assertArrayEquals(ONE, CustomParams.of(sent(), "news"));
        ask();
        assertEquals(Stage.REQUEST_RESPONSE, sent().verb().stage);
        assertFalse(messages.arePings(PEER));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "isotherm.wire:", "isotherm.wire:0", "isotherm.wire:one", "isotherm.wire:99999999999", "1"})
    void aNodeThatDoesNotSaySoGetsPings(String wireState) {
        peerPublishes(wireState);
        messages.tell(PEER, "news", ONE);
        assertEquals(Verb.PING_REQ, sent().verb());
        ask();
        assertEquals(Verb.PING_REQ, sent().verb());
        assertTrue(messages.arePings(PEER));
    }

    /** An earlier build publishes its heat or another state, and not what it takes. */
    @Test
    void aNodeOfWhichGossipSaysNothingOfThePluginIsTakenForOneWithout() {
        assertFalse(messages.mayUnderstand(PEER));
        assertTrue(messages.mayUnderstand(node(8)), "nobody knows it");
        for (ApplicationState state : new ApplicationState[] {
            VERSION.wireState(),
            VERSION.heatState(),
            VERSION.queueState(),
            VERSION.outOfReadsState(),
            VERSION.limitedKeysState()
        }) {
            Gossiper.instance.injectApplicationState(PEER, state, VERSION.gossipValue("isotherm.some:"));
            assertTrue(messages.mayUnderstand(PEER), state.name());
            Gossiper.instance.injectApplicationState(PEER, state, VERSION.gossipValue("another's"));
            assertFalse(messages.mayUnderstand(PEER), state.name());
        }
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        VersionedValue own =
                Gossiper.instance.getEndpointStateForEndpoint(self).getApplicationState(VERSION.wireState());
        Gossiper.instance.injectApplicationState(self, VERSION.wireState(), VERSION.gossipValue("held"));
        assertTrue(messages.mayUnderstand(PEER), "where this node says nothing the others may not, either");
        Gossiper.instance.injectApplicationState(self, VERSION.wireState(), own);
    }

    @Test
    void aNodeThatNobodyKnowsGetsPings() {
        messages.tell(node(8), "news", ONE);
        assertEquals(Verb.PING_REQ, sent().verb());
    }

    @ParameterizedTest
    @ValueSource(strings = {"isotherm.wire:1", "isotherm.wire:2", "isotherm.wire:1:more"})
    void laterBuildsTakeTheSame(String wireState) {
        peerPublishes(wireState);
        messages.tell(PEER, "news", ONE);
        assertEquals(Verb.HINT_RSP, sent().verb());
    }

    @Test
    void aQuestionIsAnsweredOnceAndOnTheSameWay() {
        peerIsOfThisBuild();
        ask();
        Message<?> question = sent().withFrom(PEER);
        assertFalse(wire.onInbound(question), "the question is not for Cassandra");
        Message<?> answer = sent().withFrom(PEER);
        assertEquals(Verb.HINT_RSP, answer.verb());
        assertFalse(wire.onInbound(answer));
        assertFalse(wire.onInbound(answer));
        assertEquals(1, answers.size());
        assertArrayEquals(TWO, answers.get(0));
    }

    @Test
    void aPingIsAnsweredByAPong() {
        ask();
        assertFalse(wire.onInbound(sent().withFrom(PEER)));
        assertEquals(Verb.PING_RSP, KEPT.sent().get(0).verb());
        assertArrayEquals(TWO, CustomParams.of(sent(), "answer"));
    }

    @Test
    void anAnswerToAnotherProcessIsNone() {
        peerIsOfThisBuild();
        ask();
        Message<?> question = sent().withFrom(PEER);
        wire.onInbound(question);
        byte[] number = CustomParams.of(KEPT.sent().get(0), "isotherm.answered").clone();
        number[0]++;
        assertFalse(wire.onInbound(with(sent().withFrom(PEER), "isotherm.answered", number)));
        assertEquals(List.of(), answers);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15, 17, 1000})
    void anAnswerWithAMalformedNumberIsDropped(int bytes) {
        peerIsOfThisBuild();
        ask();
        Message<?> malformed = with(sent().withFrom(PEER), "isotherm.answered", new byte[bytes]);
        long unreadable = wire.unreadable();
        // Cassandra drops it.
        assertTrue(wire.onInbound(without(malformed, "question")));
        assertEquals(List.of(), answers);
        assertEquals(unreadable + 1, wire.unreadable());
    }

    /** What nodes without the plugin do, and earlier builds if a message reaches one all the same. */
    @Test
    @SuppressWarnings("unchecked")
    void cassandraDropsANodesMessageWithoutAWord() throws IOException {
        peerIsOfThisBuild();
        ask();
        Message<?> question = sent().withFrom(PEER);
        assertEquals(0, question.id());
        Verb.HINT_RSP.handler().doVerb((Message<Object>) question);
        assertEquals(List.of(), answers);
        assertNull(MessagingService.instance().callbacks.remove(0, PEER));
    }

    @Test
    void thisNodeSaysWhatItTakes() {
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        assertNotNull(Gossiper.instance.getApplicationState(self, VERSION.wireState()));
    }

    private static Message<?> with(Message<?> message, String name, byte[] value) {
        return CustomParams.with(message, name, value);
    }

    private static Message<?> without(Message<?> message, String name) {
        Map<String, byte[]> params = new HashMap<>(message.header.customParams());
        params.remove(name);
        return message.withParam(ParamType.CUSTOM_MAP, params);
    }
}
