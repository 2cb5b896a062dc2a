// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads that take long whichever replica serves them. */
class LastingReadsTest {
    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final ReadGuard<String> guard = cluster.guard;
    private final Deque<Long> underWay = new ArrayDeque<>();

    /** Each 50 ms B gets one, and answers those of two seconds before. */
    private void lastingReadsOfB(int looks, String... others) {
        for (int look = 0; look < looks; look++) {
            if (look % 5 == 0) {
                underWay.add(cluster.sendLasting(B));
            }
            if (underWay.size() > 40) {
                guard.answered(B, underWay.remove(), cluster.now);
            }
            cluster.looksOfAnswers(1, others);
        }
    }

    @Test
    void noReplicaIsJudgedByThem() {
        cluster.learnTheUsual();
        lastingReadsOfB(1_000, A, B);
        assertEquals(List.of(), cluster.log);
        ReplicaStatus status = guard.statusOf(B, cluster.now);
        assertEquals(30 * MS, status.patienceNanos(), "what they take is not what reads take");
        assertEquals(40, status.unanswered(), "an operator sees them");
        assertTrue(status.oldestNanos() > 1_900 * MS, status.oldestNanos() + "");
    }

    /** As many ordinary ones: the replica is avoided. */
    @Test
    void othersAreJudgedBesideThem() {
        cluster.learnTheUsual();
        lastingReadsOfB(100, A, B);
        for (int i = 0; i < 5; i++) {
            cluster.send(B);
        }
        lastingReadsOfB(10, A, B);
        assertEquals(List.of("b: 5 of its last 55 reads took longer than 30 ms"), cluster.log);
    }

    /** Half of the time after which Cassandra gives them up, as nobody knows how long they take. */
    @Test
    void aReplicaThatAnswersNoneOfThemForFiveSecondsIsAvoided() {
        cluster.learnTheUsual();
        lastingReadsOfB(500, A);
        assertEquals(List.of(), cluster.log, "it answers one each 50 ms");
        underWay.forEach(id -> guard.answered(B, id, cluster.now));
        cluster.sendLasting(B);
        cluster.looksOfAnswers(499, A);
        assertEquals(List.of(), cluster.log);
        cluster.looksOfAnswers(2, A);
        assertEquals(List.of("b: it answers nothing"), cluster.log);
    }

    /** Nothing else is read. */
    @Test
    void theyAloneTellWhoIsSilent() {
        cluster.learnTheUsual();
        cluster.sendLasting(B);
        for (int look = 0; look < 501; look++) {
            long id = cluster.sendLasting(A);
            cluster.looksOfAnswers(1);
            guard.answered(A, id, cluster.now);
        }
        assertEquals(List.of("b: it answers nothing"), cluster.log);
    }

    /** Nobody knows how long they take. */
    @Test
    void theTrialOfAReplicaThatAnsweredNothingFailsWhenTheyAreNotAnsweredForFiveSeconds() {
        cluster.learnTheUsual();
        cluster.sendTwo(B);
        cluster.looksOfAnswers(10, A);
        assertEquals("avoided", guard.statusOf(B, cluster.now).state());
        cluster.looksOfAnswers(30, A);
        assertEquals("tried", guard.statusOf(B, cluster.now).state());
        cluster.sendLasting(B);
        cluster.looksOfAnswers(499, A);
        assertEquals("tried", guard.statusOf(B, cluster.now).state());
        cluster.looksOfAnswers(2, A);
        assertEquals("avoided", guard.statusOf(B, cluster.now).state(), "the trial has failed");
    }

    /** Speculative retries go to it, too. */
    @Test
    void theTrialOfAReplicaThatWasLateDoesNotFailForThem() {
        cluster.learnTheUsual();
        for (int look = 0; look < 10; look++) {
            cluster.read(B, 40 * MS);
            cluster.looksOfAnswers(1, A);
        }
        assertEquals("avoided", guard.statusOf(B, cluster.now).state());
        for (int look = 0; look < 100 && !guard.avoided().isEmpty(); look++) {
            boolean tried = B.equals(guard.avoided().claimTrial(B::equals));
            lastingReadsOfB(1, tried ? new String[] {A, B} : new String[] {A});
        }
        assertEquals("used", guard.statusOf(B, cluster.now).state());
        assertTrue(guard.statusOf(B, cluster.now).unanswered() > 1, "they wait all the while");
    }

    @Test
    void theyAreForgottenWhenCassandraHasGivenThemUp() {
        cluster.learnTheUsual();
        cluster.sendLasting(B);
        cluster.looksOfAnswers(999, A, B);
        assertEquals(1, guard.statusOf(B, cluster.now).unanswered());
        cluster.looksOfAnswers(2, A, B);
        assertEquals(0, guard.statusOf(B, cluster.now).unanswered());
        assertEquals(List.of(), cluster.log);
    }

    @Test
    void howLongOneTookIsForgottenWithinMinutes() {
        cluster.learnTheUsual();
        long id = cluster.sendLasting(B);
        cluster.looksOfAnswers(900, A, B);
        guard.answered(B, id, cluster.now);
        cluster.looksOfAnswers(10_000, A, B);
        cluster.sendLasting(B);
        cluster.looksOfAnswers(499, A);
        assertEquals(List.of(), cluster.log);
        cluster.looksOfAnswers(2, A);
        assertEquals(List.of("b: it answers nothing"), cluster.log);
    }
}
