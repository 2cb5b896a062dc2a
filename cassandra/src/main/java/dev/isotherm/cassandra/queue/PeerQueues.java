// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.QueueSettings;
import dev.isotherm.queue.ServiceWeights;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.locator.InetAddressAndPort;

/** What this node believes of the queues of others, one estimator a peer. */
final class PeerQueues {
    private final QueueSettings settings;
    private final ServiceWeights weights;
    private final Map<InetAddressAndPort, DepthEstimator> estimators = new ConcurrentHashMap<>();

    /** @param weights what is known of all nodes' service times; hears of the peers' */
    PeerQueues(QueueSettings settings, ServiceWeights weights) {
        this.weights = weights;
        this.settings = settings;
    }

    /** The peer's estimator, a new one if there is none. */
    DepthEstimator of(InetAddressAndPort peer) {
        DepthEstimator estimator = estimators.get(peer);
        return estimator != null ? estimator : estimators.computeIfAbsent(peer, p -> new DepthEstimator(settings));
    }

    /**
     * The depth that a peer told, or rather the one that would take the fastest node as long.
     *
     * @return {@link QueueDepth#UNKNOWN} when the bytes tell none
     */
    int weighed(byte[] told, long nowNanos) {
        int depth = QueueDepth.decode(told);
        if (depth == QueueDepth.UNKNOWN) {
            return depth;
        }
        long serviceNanos = QueueDepth.decodeServiceNanos(told);
        weights.told(serviceNanos, nowNanos);
        return weights.weighed(depth, serviceNanos, nowNanos);
    }

    /** Forgets a peer that left or restarted: its queue is another. */
    void forget(InetAddressAndPort peer) {
        estimators.remove(peer);
    }

    /** The peers there is an estimator of, a live view. */
    Map<InetAddressAndPort, DepthEstimator> all() {
        return estimators;
    }
}
