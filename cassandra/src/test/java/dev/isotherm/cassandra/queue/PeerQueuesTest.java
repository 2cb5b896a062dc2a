// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.isotherm.cassandra.config.ConfigText;
import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.ServiceWeights;
import dev.isotherm.queue.SpeedComparison;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeerQueuesTest {
    private final PeerQueues peers = new PeerQueues(
            QueueConfig.read(ConfigText.file("").section("queue")).settings(),
            new ServiceWeights(32, 1, 1, 0),
            new SpeedComparison(1, 1, 0));

    /** An update that found a leaver among the replicas may ask for its estimator after it was forgotten. */
    @Test
    void whoeverIsDeadOrHasLeftIsForgottenHoweverLateItWasAskedFor() {
        DepthEstimator alive = peers.of(node(1));
        DepthEstimator left = peers.of(node(2));
        peers.forget(node(2));
        peers.of(node(2));
        peers.keepOnly(Set.of(node(1), node(3)));
        assertEquals(Map.of(node(1), alive), peers.all());
        assertSame(alive, peers.of(node(1)));
        assertNotSame(left, peers.of(node(2)));
    }
}
