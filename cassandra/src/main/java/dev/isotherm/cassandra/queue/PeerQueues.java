// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.QueueSettings;
import org.apache.cassandra.locator.InetAddressAndPort;

/** What this node believes of the queues of others, one estimator a peer. */
public final class PeerQueues {
    private final QueueSettings settings;
    private final Map<InetAddressAndPort, DepthEstimator> estimators = new ConcurrentHashMap<>();

    public PeerQueues(QueueSettings settings) {
        this.settings = settings;
    }

    /** The peer's estimator, a new one if there is none. */
    public DepthEstimator of(InetAddressAndPort peer) {
        DepthEstimator estimator = estimators.get(peer);
        return estimator != null ? estimator : estimators.computeIfAbsent(peer, p -> new DepthEstimator(settings));
    }

    /** Forgets a peer that left or restarted: its queue is another. */
    public void forget(InetAddressAndPort peer) {
        estimators.remove(peer);
    }

    /** The peers there is an estimator of, a live view. */
    public Map<InetAddressAndPort, DepthEstimator> all() {
        return estimators;
    }
}
