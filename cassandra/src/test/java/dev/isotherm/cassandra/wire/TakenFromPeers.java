// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;

/** Everything that a node takes from other nodes: values of messages and states of gossip. */
public final class TakenFromPeers {
    private final CassandraVersion version;
    private final List<WireHandlers.Receiving> receivers;
    private final List<GossipState> states;

    /** @param features what the features install */
    public TakenFromPeers(CassandraVersion version, List<WireHandlers> features) {
        this.version = version;
        this.receivers = Stream.concat(Stream.of(UnaskedResponses.answers()), features.stream())
                .flatMap(handlers -> handlers.receivers.stream())
                .filter(receiver -> receiver.param != null)
                .collect(Collectors.toList());
        this.states =
                features.stream().flatMap(handlers -> handlers.gossip.stream()).collect(Collectors.toList());
    }

    /** The names of the messages' parameters. */
    public Set<String> params() {
        return receivers.stream().map(receiver -> receiver.param).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names of the states, that of the version of the wire among them. */
    public Set<String> states() {
        return Stream.concat(states.stream().map(state -> state.state), Stream.of(version.wireState()))
                .map(Enum::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Has a peer send the value as each parameter, on each verb that may carry it. */
    public void onMessages(Wire wire, InetAddressAndPort peer, byte[] value) {
        params().forEach(param -> onMessages(wire, peer, param, value));
    }

    /** Has a peer send the value as this parameter, on each verb that may carry it. */
    public void onMessages(Wire wire, InetAddressAndPort peer, String param, byte[] value) {
        receivers.stream()
                .filter(receiver -> receiver.param.equals(param))
                .forEach(receiver -> onMessage(wire, peer, receiver.verb, Map.of(param, value)));
    }

    /** Has a peer send these parameters on one message. */
    public static void onMessage(Wire wire, InetAddressAndPort peer, Verb verb, Map<String, byte[]> params) {
        Message<NoPayload> message = Message.synthetic(peer, verb, NoPayload.noPayload);
        wire.onInbound(message.withParam(ParamType.CUSTOM_MAP, params));
    }

    /** Has the wire take the answers to this node's questions, as it does once it is open. */
    public static void takeAnswers(Wire wire) {
        wire.install(UnaskedResponses.answers());
    }

    /** Has a peer answer a question that this node has sent. */
    public static void answer(Wire wire, InetAddressAndPort peer, Message<?> question, String param, byte[] value) {
        wire.onInbound(UnaskedResponses.answer(question, param, value).withFrom(peer));
    }

    /** Has a peer publish the text in each state, after the mark of that state and without. */
    public void inGossip(InetAddressAndPort peer, String text) {
        states.forEach(state -> inGossip(peer, state, text));
    }

    /** Has a peer publish the text in this state, after its mark and without. */
    public void inGossip(InetAddressAndPort peer, String name, String text) {
        states.stream().filter(state -> state.state.name().equals(name)).forEach(state -> inGossip(peer, state, text));
    }

    private void inGossip(InetAddressAndPort peer, GossipState state, String text) {
        for (String mark : List.of("", state.mark)) {
            state.onChange(peer, state.state, version.gossipValue(mark + text));
        }
    }
}
