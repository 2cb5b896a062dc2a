// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** In which order replicas are read that are avoided at the same time. */
class AvoidedTogetherTest {
    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final ReadGuard<String> guard = cluster.guard;

    /** It may be late only because it has the reads of the first. */
    @Test
    void ofTwoThatAreHardlyLateTheOneThatIsAvoidedLaterComesFirst() {
        cluster.learnTheUsual();
        cluster.late(B);
        cluster.looksOfAnswers(1, A, B);
        int alone = cluster.rank(B);
        assertTrue(ReplicaRanks.AVOIDED <= alone && alone < ReplicaRanks.MOST_AVOIDED, "rank " + alone);
        cluster.late(A);
        cluster.looksOfAnswers(1, A, B);
        assertEquals(alone, cluster.rank(A));
        assertEquals(alone + 1, cluster.rank(B));
        guard.forget(A);
        assertEquals(alone, cluster.rank(B));
    }

    /** A third answers: else the second could not be told from this node's own trouble. */
    @Test
    void ofTwoThatAnswerNothingNeitherComesFirst() {
        cluster.learnTheUsual();
        cluster.looksOfAnswers(1, "c");
        cluster.sendTwo(B);
        cluster.looksOfAnswers(8, A, "c");
        cluster.sendTwo(A);
        cluster.looksOfAnswers(8, "c");
        assertEquals(ReplicaRanks.MOST_AVOIDED, cluster.rank(A));
        assertEquals(ReplicaRanks.MOST_AVOIDED, cluster.rank(B));
    }

    @Test
    void thoseThatBeganAtTheSameLookComeInTheOrderOfTheirHeat() {
        cluster.learnTheUsual();
        cluster.looksOfAnswers(1, "c");
        cluster.late(A);
        cluster.late(B);
        cluster.looksOfAnswers(1, A, B, "c");
        assertNotEquals(ReplicaRanks.USED, cluster.rank(A));
        assertEquals(cluster.rank(A), cluster.rank(B));
    }
}
