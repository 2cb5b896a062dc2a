// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.GossipState;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.queue.QueueDepth;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Queue depths in gossip. They are old when they arrive and count as two seconds old, too old to choose by with the
 * default settings. They show which peers report their queues, and give the depths when no other message carries them.
 */
final class QueueGossip {
    private static final String MARK = "isotherm.queue:";
    /** A gossiped value takes one or two rounds to arrive. */
    private static final long AGE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long MIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final GossipState state;
    private boolean published;
    private int publishedDepth;
    private long publishedNanos;

    QueueGossip(
            CassandraVersion version,
            PeerQueues peers,
            QueueQuestions questions,
            QueuePiggyback piggyback,
            Failures failures) {
        state = new GossipState(version, version.queueState(), MARK, listener(peers, questions, piggyback), failures);
    }

    void install(WireHandlers handlers) {
        handlers.follow(state);
    }

    /**
     * Publishes this node's depth if it has changed and the last publication is long enough ago. Used by one thread.
     */
    void offer(LocalQueue queue, long nowNanos) {
        int depth = queue.depth();
        if (published && (depth == publishedDepth || nowNanos - publishedNanos < MIN_INTERVAL_NANOS)) {
            return;
        }
        published = true;
        publishedDepth = depth;
        publishedNanos = nowNanos;
        state.publish(queue.encoded());
    }

    /** Passes the depths and events that gossip reports of other nodes to the classes that remember those nodes. */
    static GossipState.Listener listener(PeerQueues peers, QueueQuestions questions, QueuePiggyback piggyback) {
        return new GossipState.Listener() {
            @Override
            public void told(InetAddressAndPort node, byte[] encoded) {
                long now = System.nanoTime();
                int depth = peers.weighed(node, encoded, now);
                if (depth == QueueDepth.UNKNOWN) {
                    throw QueueQuestions.notADepth(encoded);
                }
                peers.of(node).reported(depth, now - AGE_NANOS, now);
            }

            @Override
            public void unreadable(InetAddressAndPort node, Exception cause) {
                questions.refused("A gossiped queue depth could not be read and is ignored", node, cause);
            }

            @Override
            public void restarted(InetAddressAndPort node) {
                peers.forget(node);
            }

            @Override
            public void removed(InetAddressAndPort node) {
                peers.forget(node);
                piggyback.removed(node);
            }
        };
    }
}
