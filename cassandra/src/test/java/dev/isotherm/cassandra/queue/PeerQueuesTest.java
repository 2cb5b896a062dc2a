// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.LogLines;
import dev.isotherm.cassandra.config.ConfigText;
import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.ServiceWeights;
import dev.isotherm.queue.SpeedComparison;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

class PeerQueuesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetAddressAndPort FAR = node(4);

    private final PeerQueues peers = new PeerQueues(
            QueueConfig.read(ConfigText.file("").section("queue")).settings(),
            new ServiceWeights(32, 2_000_000, 10 * SECOND, 0),
            new SpeedComparison(2_000_000, 10 * SECOND, 0),
            peer -> !peer.equals(FAR));

    /** As where a later build says it in another form. */
    @Test
    void aDepthThatCannotBeReadIsCountedAndLoggedWithItsNode() {
        QueueQuestions questions = new QueueQuestions(null, peers, null);
        List<String> lines = LogLines.of("dev.isotherm", () -> {
            assertEquals(QueueDepth.UNKNOWN, questions.depthIn(node(9), new byte[] {1, 2, 3}));
            assertEquals(QueueDepth.UNKNOWN, questions.depthIn(node(9), new byte[0]));
        });
        assertEquals(2, questions.malformed());
        assertEquals(
                List.of("A queue depth on a message could not be read and is ignored, from " + node(9)
                        + ": 3 bytes are no depth of a queue"),
                lines);
        assertEquals(QueueDepth.UNKNOWN, questions.depthIn(node(9), null));
        assertEquals(2, questions.malformed());
    }

    /** It leads none of this node's updates, so that a node that is slow beside it alone is none. */
    @Test
    void anotherDatacentersSpeedCountsForNothing() {
        byte[] slow = QueueDepth.encode(0, 20_000_000);
        assertEquals(0, peers.weighed(node(1), slow, SECOND));
        assertEquals(0, peers.weighed(FAR, QueueDepth.encode(0, 2_000_000), SECOND));
        assertEquals(0, peers.weighed(node(1), slow, SECOND));
        peers.weighed(node(2), QueueDepth.encode(0, 2_000_000), SECOND);
        assertEquals(9 * 32, peers.weighed(node(1), slow, SECOND), "ten times as slow as one of its own");
    }

    @Test
    void aNodeThatHearsAnotherDatacenterAloneStillComparesItself() {
        peers.weighed(FAR, QueueDepth.encode(0, 2_000_000), SECOND);
        assertTrue(peers.claimComparison(20_000_000, SECOND));
        peers.weighed(node(1), QueueDepth.encode(0, 2_000_000), 3 * SECOND);
        assertFalse(peers.claimComparison(20_000_000, 5 * SECOND));
    }

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
