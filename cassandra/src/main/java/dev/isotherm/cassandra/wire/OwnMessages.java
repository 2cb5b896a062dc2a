// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.function.Consumer;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.ConnectionType;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.PingRequest;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;

/**
 * The plugin's own messages to other nodes: questions and news.
 *
 * <p>They travel as {@link UnaskedResponses} to the nodes whose gossip says that they take them, so that none of them
 * keeps the gossip stage, which is one thread, from gossip. To all other nodes they travel as pings with a parameter,
 * which builds without {@link WireVersion} understand; a node without the plugin ignores the parameter and answers as
 * to any ping.
 */
public final class OwnMessages {
    private final CassandraVersion version;
    private final Failures failures;

    public OwnMessages(CassandraVersion version, Failures failures) {
        this.version = version;
        this.failures = failures;
    }

    /** Whether messages to the node take the time of its gossip stage. */
    public boolean arePings(InetAddressAndPort node) {
        return !WireVersion.takesUnaskedResponses(version, node);
    }

    /** Whether the node may understand what it is told: not if it is known to run without the plugin. */
    public boolean mayUnderstand(InetAddressAndPort node) {
        return !WireVersion.isWithoutPlugin(version, node);
    }

    /**
     * Whether a periodic task may ask: not on a node that does not gossip, as one that is drained, or has left the
     * ring. Cassandra then closes its connections and waits, a minute at most, until nothing is left that waits for an
     * answer.
     */
    public boolean mayAskByItself() {
        return Gossiper.instance.isEnabled();
    }

    /**
     * Asks a node.
     *
     * @param answered receives the answer; null if the node cannot be reached or gives no answer, as a node without the
     *     plugin
     */
    public void ask(InetAddressAndPort node, String question, byte[] value, String answer, Consumer<byte[]> answered) {
        ask(node, question, value, answer, answered, () -> answered.accept(null));
    }

    /**
     * Asks a node, and distinguishes one that says nothing from one that does not understand.
     *
     * @param answered receives the answer, on one of Cassandra's threads; null from a node without the plugin, which
     *     answers the ping alone
     * @param failed runs if the node cannot be reached or has not answered after Cassandra's time for a ping
     */
    public void ask(
            InetAddressAndPort node,
            String question,
            byte[] value,
            String answer,
            Consumer<byte[]> answered,
            Runnable failed) {
        RequestCallback<NoPayload> callback = new RequestCallback<>() {
            @Override
            public void onResponse(Message<NoPayload> response) {
                try {
                    answered.accept(CustomParams.of(response, answer));
                } catch (RuntimeException | LinkageError | AssertionError e) {
                    failures.record("The answer of another node is not taken in", e);
                }
            }

            @Override
            public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {
                try {
                    failed.run();
                } catch (RuntimeException | LinkageError | AssertionError e) {
                    failures.record("That another node does not answer is not taken in", e);
                }
            }

            @Override
            public boolean invokeOnFailure() {
                return true;
            }
        };
        Message<PingRequest> ping = ping(question, value);
        if (arePings(node)) {
            MessagingService.instance().sendWithCallback(ping, node, callback);
        } else {
            // The ping is not sent: it stands for the question among what Cassandra waits for, which also ends the
            // wait.
            MessagingService.instance().callbacks.addWithExpiration(callback, ping, node);
            MessagingService.instance().send(UnaskedResponses.question(question, value, ping.id()), node);
        }
    }

    /** Sends a node a value and expects no answer. */
    public void tell(InetAddressAndPort node, String news, byte[] value) {
        Message<?> message = arePings(node) ? ping(news, value) : UnaskedResponses.news(news, value);
        MessagingService.instance().send(message, node);
    }

    private static Message<PingRequest> ping(String param, byte[] value) {
        Message<PingRequest> ping = Message.out(Verb.PING_REQ, PingRequest.get(ConnectionType.URGENT_MESSAGES));
        return CustomParams.with(ping, param, value);
    }
}
