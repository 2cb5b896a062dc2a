// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.queue.LocalQueue;
import dev.isotherm.cassandra.queue.PeerQueues;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.queue.QueueDepth;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.IEndpointStateChangeSubscriber;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Depths of queues in gossip: old when they arrive, so never enough to choose by, but they tell which peers speak of their
 * queues, and what these are where nothing else is sent.
 */
public final class QueueGossip implements IEndpointStateChangeSubscriber {
    private static final String MARK = "isotherm.queue:";
    /** Gossip takes a round or two. */
    private static final long AGE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long MIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final CassandraVersion version;
    private final PeerQueues peers;
    private final QueuePiggyback piggyback;
    private final Failures failures;
    private boolean published;
    private int publishedDepth;
    private long publishedNanos;

    public QueueGossip(CassandraVersion version, PeerQueues peers, QueuePiggyback piggyback, Failures failures) {
        this.version = version;
        this.peers = peers;
        this.piggyback = piggyback;
        this.failures = failures;
    }

    /** Publishes this node's depth when it changed and the last word is long enough ago. Used by one thread. */
    public void offer(LocalQueue queue, long nowNanos) {
        int depth = queue.depth();
        if (published && (depth == publishedDepth || nowNanos - publishedNanos < MIN_INTERVAL_NANOS)) {
            return;
        }
        published = true;
        publishedDepth = depth;
        publishedNanos = nowNanos;
        String text = MARK + Base64.getEncoder().encodeToString(queue.encoded());
        Gossiper.instance.addLocalApplicationState(version.queueState(), version.gossipValue(text));
    }

    @Override
    public void onChange(InetAddressAndPort node, ApplicationState state, VersionedValue value) {
        if (state == version.queueState()) {
            take(node, value);
        }
    }

    @Override
    public void onJoin(InetAddressAndPort node, EndpointState state) {
        VersionedValue value = state.getApplicationState(version.queueState());
        if (value != null) {
            take(node, value);
        }
    }

    @Override
    public void onRestart(InetAddressAndPort node, EndpointState state) {
        peers.forget(node);
    }

    @Override
    public void onRemove(InetAddressAndPort node) {
        peers.forget(node);
        piggyback.removed(node);
    }

    private void take(InetAddressAndPort node, VersionedValue value) {
        if (node.equals(FBUtilities.getBroadcastAddressAndPort())) {
            return;
        }
        try {
            long now = System.nanoTime();
            int depth = value.value.startsWith(MARK)
                    ? peers.weighed(Base64.getDecoder().decode(value.value.substring(MARK.length())), now)
                    : QueueDepth.UNKNOWN;
            if (depth == QueueDepth.UNKNOWN) {
                throw new IllegalArgumentException(
                        "the gossip state " + version.queueState() + " of " + node + " is not ours");
            }
            peers.of(node).reported(depth, now - AGE_NANOS, now);
        } catch (RuntimeException | LinkageError e) {
            failures.record("A gossiped queue depth could not be read and is ignored", e);
        }
    }
}
