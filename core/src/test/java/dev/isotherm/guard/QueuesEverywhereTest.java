// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static dev.isotherm.guard.GuardedCluster.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replica is not avoided for reads that wait if they would hardly wait for less elsewhere. */
class QueuesEverywhereTest {
    private static final int LOOKS_PER_OBSERVATION = 5;

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);

    /**
     * Half a second, but for the last look, in which so many tasks wait here, or are served, and a hundred end each
     * second.
     */
    private void queueHere(int tasks, long nanosEach) {
        for (int look = 0; look < ReadStageLooks.LOOKS * LOOKS_PER_OBSERVATION; look++) {
            if (look % LOOKS_PER_OBSERVATION == 0) {
                cluster.serveWhileBusy(tasks, 5, nanosEach);
            }
            cluster.guard.look(cluster.now);
            cluster.now += ReadGuard.LOOK_NANOS;
        }
        cluster.serveWhileBusy(tasks, 5, nanosEach);
    }

    @ParameterizedTest
    @CsvSource({"0, 1000, true", "2, 25, true", "3, 12, true", "3, 17, false", "100, 17, false"})
    void lateAnswersOfOneBesideReadsThatWaitForTheOtherAndHere(int reads, long millis, boolean begins) {
        cluster.learnTheUsual();
        queueHere(40, 250 * MS);
        cluster.waiting(A, reads, millis * MS);
        cluster.late(B);
        assertEquals(begins, cluster.isAvoided(B), cluster.log::toString);
    }

    @ParameterizedTest
    @CsvSource({"2, true", "3, false"})
    void lateAnswersOfOneBesideTasksThatWaitHere(int tasks, boolean begins) {
        cluster.learnTheUsual();
        queueHere(tasks, 250 * MS);
        cluster.waiting(A, 3, 17 * MS);
        cluster.late(B);
        assertEquals(begins, cluster.isAvoided(B), cluster.log::toString);
    }

    @Test
    void whatWaitsForTheTroubledOneByNowCounts() {
        cluster.learnTheUsual();
        queueHere(40, 250 * MS);
        cluster.waiting(A, 3, 29 * MS);
        cluster.waiting(B, 3, 59 * MS);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
    }

    @ParameterizedTest
    @CsvSource({"140, 3, true", "160, 3, false", "160, 2, true"})
    void tasksThatWaitHereBesideReadsThatWaitForTheOthers(long millis, int readsOfOne, boolean begins) {
        // The patience with others is a second as yet: none of their reads is late.
        queueHere(60, MS);
        cluster.waiting(A, 3, millis * MS);
        cluster.waiting(B, readsOfOne, millis * MS);
        assertEquals(begins, cluster.isAvoided(SELF), cluster.log::toString);
    }

    @Test
    void theHalfSecondOfTheTasksCounts() {
        queueHere(60, MS);
        cluster.waiting(B, 3, 160 * MS);
        long answered = cluster.waiting(A, 3, 160 * MS);
        assertFalse(cluster.isAvoided(SELF));
        cluster.guard.answered(A, answered, cluster.now);
        int looks = ReadStageLooks.LOOKS * LOOKS_PER_OBSERVATION;
        for (int look = 1; look <= looks; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            if (look % LOOKS_PER_OBSERVATION == 0) {
                cluster.serveWhileBusy(60, 5, MS);
            }
            assertEquals(look == looks, cluster.isAvoided(SELF), look + " looks later");
        }
    }

    /** One of the others takes 18 ms and the other 5; that one has been avoided since three answers took 31. */
    private void avoidB() {
        looksOfAnswers(301);
        cluster.late(B);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
        without(300, B, A, 18 * MS);
    }

    /** For so long one is avoided and the other answers: what waits for no longer was sent meanwhile. */
    private void without(long millis, String avoided, String other, long nanosEach) {
        for (int look = 0; look < millis * MS / ReadGuard.LOOK_NANOS; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(other, nanosEach);
            assertTrue(cluster.isAvoided(avoided), cluster.log::toString);
        }
    }

    private void looksOfAnswers(int looks) {
        for (int look = 0; look < looks; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, 18 * MS);
            cluster.read(B, 5 * MS);
            cluster.guard.look(cluster.now);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 40, true", "3, 28, true", "3, 33, false"})
    void anAvoidanceEndsOnceReadsWaitLongerForTheOther(int reads, long millis, boolean goesOn) {
        avoidB();
        cluster.waiting(A, reads, millis * MS);
        assertEquals(goesOn, cluster.isAvoided(B), cluster.log::toString);
    }

    @ParameterizedTest
    @CsvSource({"290, false", "310, true"})
    void whatWasSentBeforeItIsNotItsDoing(long millis, boolean goesOn) {
        avoidB();
        cluster.waiting(A, 3, millis * MS);
        assertEquals(goesOn, cluster.isAvoided(B), cluster.log::toString);
    }

    @ParameterizedTest
    @CsvSource({"3, true", "4, false"})
    void anAvoidanceEndsOnceTasksWaitLongerHere(int tasks, boolean goesOn) {
        avoidB();
        queueHere(tasks, 10 * MS);
        assertEquals(goesOn, cluster.isAvoided(B), cluster.log::toString);
    }

    @Test
    void oneThatStandsStillSaysNothingOfQueues() {
        avoidB();
        for (int look = 0; look < 5; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.guard.look(cluster.now);
        }
        cluster.waiting(A, 3, 33 * MS);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
    }

    @Test
    void afterMovesInVainNoOtherMayLetReadsWaitForAQuarter() {
        avoidB();
        cluster.waiting(A, 3, 33 * MS);
        assertFalse(cluster.isAvoided(B), cluster.log::toString);
        cluster.guard.forget(A);
        looksOfAnswers(400);

        long last = cluster.waiting(A, 3, 9 * MS);
        cluster.late(B);
        assertFalse(cluster.isAvoided(B), "a quarter of 30 ms are 7.5");
        for (long id = last - 2; id <= last; id++) {
            cluster.guard.answered(A, id, cluster.now);
        }
        looksOfAnswers(1_000);
        cluster.waiting(A, 3, 9 * MS);
        cluster.late(B);
        assertTrue(cluster.isAvoided(B), "ten seconds later half of them count");
    }

    @Test
    void anAvoidedReplicaIsNoReasonToAvoidAnother() {
        cluster.learnTheUsual();
        queueHere(4, 10 * MS);
        cluster.waiting(B, 3, 59 * MS);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
        cluster.late(A);
        assertFalse(cluster.isAvoided(A), "40 ms here are more than half of 30");
        assertTrue(cluster.isAvoided(B), "and less than 59");
    }

    @Test
    void readsOfAnotherDatacenterSayNothingOfQueues() {
        cluster.cannotServe.add(A);
        avoidB();
        cluster.waiting(A, 3, 33 * MS);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
    }

    @Test
    void readsWhoseAnswersAreLostSayNothingOfQueues() {
        looksOfAnswers(301);
        cluster.waiting(A, 3, 1_000 * MS);
        cluster.late(B);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
        looksOfAnswers(1);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
    }

    @Test
    void aSingleReadThatTakesLongSaysNothingOfQueues() {
        cluster.learnTheUsual();
        queueHere(40, 250 * MS);
        cluster.waiting(A, 3, 17 * MS);
        cluster.waiting(B, 1, 4 * SECOND);
        cluster.late(B);
        assertFalse(cluster.isAvoided(B), cluster.log::toString);
    }

    /** Whichever of them is looked at first. */
    @ParameterizedTest
    @CsvSource({"a, b", "b, a"})
    void whoHasTheReadsOfAnotherGivesThemBackBeforeItIsAvoided(String other, String avoided) {
        cluster.learnTheUsual();
        cluster.late(avoided);
        assertTrue(cluster.isAvoided(avoided), cluster.log::toString);
        without(300, avoided, other, 5 * MS);
        cluster.waiting(other, 3, 33 * MS);
        assertFalse(cluster.isAvoided(avoided), cluster.log::toString);
        for (long looks = 0; looks < VainMoves.COME_BACK_NANOS / ReadGuard.LOOK_NANOS; looks++) {
            assertFalse(cluster.isAvoided(other), cluster.log::toString);
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(other, 5 * MS);
            cluster.read(avoided, 5 * MS);
        }
        cluster.late(other);
        assertTrue(cluster.isAvoided(other), cluster.log::toString);
    }

    @Test
    void aShortPauseOfAnotherSaysNothingOfQueues() {
        avoidB();
        for (int i = 0; i < 3; i++) {
            cluster.send(A);
        }
        for (int look = 0; look < 5; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            assertTrue(cluster.isAvoided(B), cluster.log::toString);
        }
    }

    @Test
    void aQueueElsewhereIsNoReasonToUseOneThatHasFallenSilent() {
        avoidB();
        for (int look = 0; look < 150; look++) {
            if (look == 1) {
                cluster.sendTwo(B);
            }
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, 18 * MS);
            assertTrue(cluster.isAvoided(B), cluster.log::toString);
        }
        assertEquals("tried", cluster.guard.statusOf(B, cluster.now).state());
        cluster.waiting(A, 3, 600 * MS);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
    }

    @Test
    void whenAllIsForgottenMovesInVainAreToo() {
        avoidB();
        cluster.waiting(A, 3, 33 * MS);
        assertFalse(cluster.isAvoided(B), cluster.log::toString);
        cluster.guard.forgetAll();
        looksOfAnswers(400);
        cluster.waiting(A, 3, 9 * MS);
        cluster.late(B);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
    }
}
