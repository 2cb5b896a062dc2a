// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.QueueSettings;
import dev.isotherm.queue.ServiceWeights;
import dev.isotherm.queue.SpeedComparison;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.cassandra.locator.InetAddressAndPort;

/** This node's estimates of its peers' queues, one estimator per peer. */
final class PeerQueues {
    private volatile QueueSettings settings;
    private final ServiceWeights weights;
    private final SpeedComparison comparison;
    private final Predicate<InetAddressAndPort> mayLead;
    private final Map<InetAddressAndPort, DepthEstimator> estimators = new ConcurrentHashMap<>();

    /**
     * @param weights the known service times of all nodes, to which the peers' are added
     * @param comparison is told of the peers' times
     * @param mayLead whether a peer may lead updates that this node coordinates: with others no node is compared. Asked
     *     for each depth that arrives
     */
    PeerQueues(
            QueueSettings settings,
            ServiceWeights weights,
            SpeedComparison comparison,
            Predicate<InetAddressAndPort> mayLead) {
        this.weights = weights;
        this.comparison = comparison;
        this.mayLead = mayLead;
        this.settings = settings;
    }

    /** Follows other settings from now on. */
    void use(QueueSettings changed) {
        settings = changed;
        estimators.values().forEach(estimator -> estimator.use(changed));
    }

    /** The peer's estimator, a new one if there is none. */
    DepthEstimator of(InetAddressAndPort peer) {
        DepthEstimator estimator = estimators.get(peer);
        if (estimator == null) {
            estimator = estimators.computeIfAbsent(peer, p -> new DepthEstimator(settings));
            // The settings may have changed between the making of the estimator and its being found by that change.
            estimator.use(settings);
        }
        return estimator;
    }

    /**
     * The weighed depth of a peer's report: the queue that would take as long on the fastest node.
     *
     * @return {@link QueueDepth#UNKNOWN} if the bytes are not a valid depth
     */
    int weighed(InetAddressAndPort peer, byte[] told, long nowNanos) {
        int depth = QueueDepth.decode(told);
        if (depth == QueueDepth.UNKNOWN) {
            return depth;
        }
        long serviceNanos = QueueDepth.decodeServiceNanos(told);
        if (mayLead.test(peer)) {
            weights.told(serviceNanos, nowNanos);
            comparison.heard(serviceNanos, nowNanos);
        }
        return weights.weighed(depth, serviceNanos, nowNanos);
    }

    /** Whether a write that this node would lead is to be led by another one, so that it learns how fast they are. */
    boolean claimComparison(long ownServiceNanos, long nowNanos) {
        return comparison.claim(ownServiceNanos, nowNanos);
    }

    /** Forgets a peer that left or restarted: after a restart its queue is a new one. */
    void forget(InetAddressAndPort peer) {
        estimators.remove(peer);
    }

    /**
     * Forgets all other peers: those that are dead, and those that have left, of which an update may have asked for an
     * estimator after they were forgotten.
     */
    void keepOnly(Set<InetAddressAndPort> alive) {
        estimators.keySet().removeIf(peer -> !alive.contains(peer));
    }

    /** The peers' estimators, a live view. */
    Map<InetAddressAndPort, DepthEstimator> all() {
        return estimators;
    }
}
