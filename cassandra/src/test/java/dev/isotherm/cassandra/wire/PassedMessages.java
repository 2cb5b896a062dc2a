// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;

/** Messages without a payload that pass a feature's handlers, as {@link Wire} would pass them. */
public final class PassedMessages {
    private final WireHandlers handlers;
    private final InetAddressAndPort peer;

    /** @param peer to whom messages go, and from whom they come */
    public PassedMessages(WireHandlers handlers, InetAddressAndPort peer) {
        this.handlers = handlers;
        this.peer = peer;
    }

    private Message<?> message(Verb verb, long id) {
        return Message.builder(verb, NoPayload.noPayload).from(peer).withId(id).build();
    }

    /** One leaves. */
    public void send(Verb verb, long id) {
        handlers.riders.stream()
                .filter(each -> each.verb == verb)
                .forEach(each -> each.valueFor(message(verb, id), peer));
    }

    /** One arrives; returns whether it goes on to Cassandra. */
    public boolean receive(Verb verb, long id) {
        return handlers.receivers.stream()
                .filter(each -> each.verb == verb)
                .allMatch(each -> each.receiver.received(message(verb, id), null));
    }
}
