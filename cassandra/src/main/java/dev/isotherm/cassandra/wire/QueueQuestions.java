// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.queue.LocalQueue;
import dev.isotherm.cassandra.queue.PeerQueues;
import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.QueueDepth;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.ConnectionType;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.PingRequest;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;

/** Asks peers how long their queues are: a ping with a parameter, answered by a pong with one. */
public final class QueueQuestions {
    private static final String ASK = "isotherm.depth?";
    private static final String DEPTH = "isotherm.depth";
    private static final byte[] EMPTY = {};

    private final LocalQueue queue;
    private final PeerQueues peers;
    private final Failures failures;
    private final LongAdder asked = new LongAdder();
    private final LongAdder malformed = new LongAdder();

    public QueueQuestions(LocalQueue queue, PeerQueues peers, Failures failures) {
        this.queue = queue;
        this.peers = peers;
        this.failures = failures;
    }

    /** Asks a peer; the answer goes to its estimator, or that there is none, as from a node without the plugin. */
    public void ask(InetAddressAndPort peer, DepthEstimator estimator) {
        long sentWhenAsked = estimator.sentCount();
        long askedNanos = System.nanoTime();
        asked.increment();
        Message<PingRequest> question = CustomParams.with(
                Message.out(Verb.PING_REQ, PingRequest.get(ConnectionType.URGENT_MESSAGES)), ASK, EMPTY);
        MessagingService.instance().sendWithCallback(question, peer, new RequestCallback<NoPayload>() {
            @Override
            public void onResponse(Message<NoPayload> response) {
                int depth = depthOf(response);
                if (depth == QueueDepth.UNKNOWN) {
                    estimator.failed(System.nanoTime());
                } else {
                    estimator.answered(depth, sentWhenAsked, askedNanos, System.nanoTime());
                }
            }

            @Override
            public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {
                estimator.failed(System.nanoTime());
            }

            @Override
            public boolean invokeOnFailure() {
                return true;
            }
        });
    }

    /** The inbound predicate: answers questions. */
    public boolean onInbound(Message<?> message) {
        if (message.verb() != Verb.PING_REQ || CustomParams.of(message, ASK) == null) {
            return true;
        }
        try {
            MessagingService.instance().send(withDepth(message.emptyResponse(), queue), message.respondTo());
            return false;
        } catch (RuntimeException | LinkageError e) {
            failures.record("A question for this node's queue is not answered", e);
            return true;
        }
    }

    static <T> Message<T> withDepth(Message<T> message, LocalQueue queue) {
        return CustomParams.with(message, DEPTH, queue.encoded());
    }

    /** The weighed depth that a message carries; unknown when it carries none, or nonsense, which is counted. */
    int depthOf(Message<?> message) {
        byte[] carried = CustomParams.of(message, DEPTH);
        if (carried == null) {
            return QueueDepth.UNKNOWN;
        }
        int depth = peers.weighed(carried, System.nanoTime());
        if (depth == QueueDepth.UNKNOWN) {
            malformed.increment();
        }
        return depth;
    }

    /** Questions asked since the node started. */
    public long asked() {
        return asked.sum();
    }

    /** Depths that were none, since the node started. */
    public long malformed() {
        return malformed.sum();
    }
}
