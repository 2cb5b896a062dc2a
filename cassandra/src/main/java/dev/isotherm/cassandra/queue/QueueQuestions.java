// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.QueueDepth;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Asks peers for their queue depths. */
final class QueueQuestions {
    /** The parameter, on answers and on responses to writes, with the depth of the sender's queue. */
    static final String DEPTH = "isotherm.depth";

    private static final String ASK = "isotherm.depth?";
    private static final byte[] EMPTY = {};

    private final LocalQueue queue;
    private final PeerQueues peers;
    private final OwnMessages messages;
    private final LongAdder asked = new LongAdder();
    private final UnreadableValues unreadable = new UnreadableValues();

    QueueQuestions(LocalQueue queue, PeerQueues peers, OwnMessages messages) {
        this.queue = queue;
        this.peers = peers;
        this.messages = messages;
    }

    void install(WireHandlers handlers) {
        handlers.answer(
                ASK, DEPTH, "A question for this node's queue is not answered", (asker, question) -> queue.encoded());
    }

    /** Whether a periodic task may ask. */
    boolean mayBeAsked() {
        return messages.mayAskByItself();
    }

    /**
     * Asks a peer. The answer goes to the peer's estimator; without an answer, as from a node without the plugin, the
     * question counts as failed there.
     */
    void ask(InetAddressAndPort peer, DepthEstimator estimator) {
        long sentWhenAsked = estimator.sentCount();
        long askedNanos = System.nanoTime();
        asked.increment();
        messages.ask(peer, ASK, EMPTY, DEPTH, answer -> {
            int depth = depthIn(peer, answer);
            if (depth == QueueDepth.UNKNOWN) {
                estimator.failed(askedNanos, System.nanoTime());
            } else {
                estimator.answered(depth, sentWhenAsked, askedNanos, System.nanoTime());
            }
        });
    }

    /**
     * The weighed depth that a message of the peer carries; unknown if it carries none or an invalid one, which is
     * counted.
     *
     * @param encoded null if the message carries no depth
     */
    int depthIn(InetAddressAndPort peer, byte[] encoded) {
        if (encoded == null) {
            return QueueDepth.UNKNOWN;
        }
        int depth = peers.weighed(peer, encoded, System.nanoTime());
        if (depth == QueueDepth.UNKNOWN) {
            refused("A queue depth on a message could not be read and is ignored", peer, notADepth(encoded));
        }
        return depth;
    }

    /** Why bytes are no depth. */
    static IllegalArgumentException notADepth(byte[] encoded) {
        return new IllegalArgumentException(encoded.length + " bytes are no depth of a queue");
    }

    /**
     * Counts a depth that could not be read.
     *
     * @param consequence the effect, a constant sentence
     */
    void refused(String consequence, InetAddressAndPort node, Exception cause) {
        unreadable.ignore(consequence, node, cause);
    }

    /** Questions asked since the node started. */
    long asked() {
        return asked.sum();
    }

    /** Malformed depths received since the node started. */
    long malformed() {
        return unreadable.count();
    }
}
