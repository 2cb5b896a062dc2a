// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;

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
        for (WireHandlers.Receiving receiver : receivers) {
            Message<NoPayload> message = Message.synthetic(peer, receiver.verb, NoPayload.noPayload);
            wire.onInbound(CustomParams.with(message, receiver.param, value));
        }
    }

    /** Has a peer publish the text in each state, after the mark of that state and without. */
    public void inGossip(InetAddressAndPort peer, String text) {
        for (GossipState state : states) {
            for (String mark : List.of("", state.mark)) {
                VersionedValue value = version.gossipValue(mark + text);
                state.onChange(peer, state.state, value);
            }
        }
    }
}
