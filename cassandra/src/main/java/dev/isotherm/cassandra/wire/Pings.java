// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import java.util.function.Consumer;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.ConnectionType;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.PingRequest;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;

/**
 * The plugin's own messages: pings with a parameter. A node without the plugin ignores the parameter and answers as to
 * any ping.
 */
public final class Pings {
    private Pings() {}

    /**
     * Asks a node.
     *
     * @param answered receives the answer; null if the node cannot be reached or gives no answer, as a node without the
     *     plugin
     */
    public static void ask(
            InetAddressAndPort node, String question, byte[] value, String answer, Consumer<byte[]> answered) {
        ask(node, question, value, answer, answered, () -> answered.accept(null));
    }

    /**
     * Asks a node, and distinguishes one that says nothing from one that does not understand.
     *
     * @param answered receives the answer; null from a node without the plugin, which answers the ping alone
     * @param failed runs if the node cannot be reached or has not answered after Cassandra's time for a ping
     */
    public static void ask(
            InetAddressAndPort node,
            String question,
            byte[] value,
            String answer,
            Consumer<byte[]> answered,
            Runnable failed) {
        MessagingService.instance().sendWithCallback(ping(question, value), node, new RequestCallback<NoPayload>() {
            @Override
            public void onResponse(Message<NoPayload> pong) {
                answered.accept(CustomParams.of(pong, answer));
            }

            @Override
            public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {
                failed.run();
            }

            @Override
            public boolean invokeOnFailure() {
                return true;
            }
        });
    }

    /** Sends a node a value and expects no answer. */
    public static void tell(InetAddressAndPort node, String news, byte[] value) {
        MessagingService.instance().send(ping(news, value), node);
    }

    private static Message<PingRequest> ping(String param, byte[] value) {
        Message<PingRequest> ping = Message.out(Verb.PING_REQ, PingRequest.get(ConnectionType.URGENT_MESSAGES));
        return CustomParams.with(ping, param, value);
    }
}
