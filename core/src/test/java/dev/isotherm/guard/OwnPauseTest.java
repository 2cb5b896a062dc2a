// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static dev.isotherm.guard.GuardedCluster.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a coordinator does not see because it is itself paused does not count against the replicas. */
class OwnPauseTest {
    private static final int RUNNING = 5;

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final ReadGuard<String> guard = cluster.guard;
    private int localIntervals;
    private long localReads;
    private long localNanos;

    @BeforeEach
    void learnTheUsual() {
        cluster.learnTheUsual();
    }

    private long[] sendSome(String replica) {
        long[] ids = new long[RUNNING];
        for (int i = 0; i < RUNNING; i++) {
            ids[i] = cluster.send(replica);
        }
        return ids;
    }

    private void answer(String replica, long[] ids) {
        for (long id : ids) {
            guard.answered(replica, id, cluster.now);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {40 * MS, 300 * MS, 8 * SECOND, 3_600 * SECOND})
    void answersThatWaitedForThisProcessAreNotLateAfterTheLook(long pause) {
        long[] ids = sendSome(A);
        cluster.now += pause;
        guard.look(cluster.now);
        answer(A, ids);
        cluster.looksOfAnswers(10, B);
        assertEquals(List.of(), cluster.log);
    }

    /** After a pause the threads that take answers may run before the one that looks. */
    @ParameterizedTest
    @ValueSource(longs = {40 * MS, 300 * MS, 8 * SECOND, 3_600 * SECOND})
    void answersThatWaitedForThisProcessAreNotLateBeforeTheLook(long pause) {
        long[] ids = sendSome(A);
        cluster.now += pause;
        answer(A, ids);
        guard.look(cluster.now);
        cluster.looksOfAnswers(10, B);
        assertEquals(List.of(), cluster.log);
    }

    @Test
    void pausesTeachNothingAboutTheReplicas() {
        for (int second = 0; second < 120; second++) {
            long[] ids = sendSome(A);
            cluster.now += 300 * MS;
            answer(A, ids);
            guard.look(cluster.now);
            cluster.looksOfAnswers(70, A, B);
        }
        assertEquals(List.of(), cluster.log);
        // Up to two looks of a pause cannot be told from a run: 25 ms, rounded up, twice.
        assertTrue(guard.statusOf(A, cluster.now).patienceNanos() <= 2 * 1.25 * 25 * MS);
    }

    /** Reads sent between the end of the pause and the look are as old as they are, not younger by the pause. */
    @Test
    void readsSentBeforeTheLookAreOverdueInTime() {
        cluster.now += 8 * SECOND;
        cluster.sendTwo(A);
        assertEquals(0, guard.statusOf(A, cluster.now).oldestNanos(), 2 * 1_024);
        guard.look(cluster.now);
        cluster.looksOfAnswers(8, B);
        assertEquals(List.of("a: it answers nothing"), cluster.log);
        assertEquals(80 * MS, guard.statusOf(A, cluster.now).oldestNanos(), ReadGuard.LOOK_NANOS + 2 * 1_024);
    }

    @Test
    void aLookThatComesALittleLateIsNoPause() {
        cluster.sendTwo(A);
        for (int i = 0; i < 4; i++) {
            cluster.now += 2 * ReadGuard.LOOK_NANOS;
            cluster.read(B, 5 * MS);
            guard.look(cluster.now);
        }
        assertEquals(List.of("a: it answers nothing"), cluster.log);
        assertEquals(80 * MS, guard.statusOf(A, cluster.now).oldestNanos(), 2 * 1_024);
    }

    @Test
    void aReplicaThatIsSilentBeforeAndAfterThePauseIsStillAvoided() {
        cluster.sendTwo(A);
        cluster.looksOfAnswers(2, B);
        cluster.now += 8 * SECOND;
        guard.look(cluster.now);
        assertEquals(List.of(), cluster.log);
        cluster.looksOfAnswers(5, B);
        assertEquals(List.of("a: it answers nothing"), cluster.log);
    }

    /** A time between trials is time in which this process ran. */
    @Test
    void anAvoidedReplicaIsTriedLaterByThePause() {
        for (int i = 0; i < 10; i++) {
            sendSome(A);
            cluster.looksOfAnswers(1, B);
        }
        assertEquals("avoided", guard.statusOf(A, cluster.now).state());
        cluster.now += 30 * SECOND;
        guard.look(cluster.now);
        assertEquals("avoided", guard.statusOf(A, cluster.now).state());
        cluster.looksOfAnswers(25, B);
        assertEquals("tried", guard.statusOf(A, cluster.now).state());
    }

    /** Half a second of observations and looks; in each 50 ms so many local reads end. */
    private void localReads(int intervals, int ended, long nanosEach) {
        for (int i = 0; i < intervals; i++) {
            localReads += ended;
            localNanos += ended * nanosEach;
            guard.observeLocal(localIntervals++ % (RUNNING + 1), localReads, localNanos, 0, cluster.now);
            cluster.looksOfAnswers(5, A, B);
        }
    }

    /** The local reads under way during a pause last longer by it, whether they end before or after the first look. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thisNodesOwnReadsAreNotLateByThePause(boolean lookFirst) {
        localReads(200, 5, 5 * MS);
        for (int pauses = 0; pauses < 5; pauses++) {
            cluster.now += 8 * SECOND;
            if (lookFirst) {
                guard.look(cluster.now);
            }
            localReads(1, 3, 8 * SECOND + 5 * MS);
            localReads(1, 2, 8 * SECOND + 5 * MS);
            localReads(20, 5, 5 * MS);
            assertEquals(List.of(), cluster.log);
        }
        assertEquals(30 * MS, guard.statusOf(SELF, cluster.now).patienceNanos());
    }

    @Test
    void thisNodesOwnReadsThatAreSlowAfterThePauseAreLate() {
        localReads(200, 5, 5 * MS);
        cluster.now += 300 * MS;
        localReads(10, 5, 200 * MS);
        assertEquals(1, cluster.log.size());
        assertEquals("avoided", guard.statusOf(SELF, cluster.now).state());
    }

    /** A quota of a tenth of a processor: 10 ms of each 100. */
    @Test
    void whileThisProcessHardlyRunsOthersServeItsReads() {
        localReads(200, 5, 5 * MS);
        for (int period = 0; period < 40; period++) {
            cluster.now += 90 * MS;
            localReads(1, 5, 5 * MS);
        }
        assertEquals(List.of("self: its process stands still for more than half of the time"), cluster.log);
        assertTrue(cluster.rank(SELF) > ReplicaRanks.USED);
        assertEquals(ReplicaRanks.USED, cluster.rank(A));
        localReads(110, 5, 5 * MS);
        assertEquals(2, cluster.log.size(), cluster.log.toString());
        assertEquals("used", guard.statusOf(SELF, cluster.now).state());
    }

    private void hardlyRun(int periods, String... starved) {
        for (int period = 0; period < periods; period++) {
            for (String replica : starved) {
                guard.saysStarved(replica, cluster.now);
            }
            cluster.now += 90 * MS;
            localReads(1, 5, 5 * MS);
        }
    }

    /** By its own clock, which stands still while it does, the others are well; they say that they are not. */
    @Test
    void othersThatHardlyRunEitherAreNotLeftItsReads() {
        localReads(200, 5, 5 * MS);
        hardlyRun(400, A, B);
        assertEquals(List.of(), cluster.log);
        hardlyRun(400, A);
        assertEquals(List.of(), cluster.log);
        assertTrue(guard.isStarved());
        // What B said last holds for 5 s, 36 periods; then A alone is starved, which is half of the others.
        hardlyRun(40);
        assertEquals(List.of("self: its process stands still for more than half of the time"), cluster.log);
        hardlyRun(1, A, B);
        assertEquals(2, cluster.log.size(), cluster.log.toString());
        assertEquals("used", guard.statusOf(SELF, cluster.now).state());
    }

    /** Its disk is slow besides: for that it is avoided, whatever holds the others back. */
    @Test
    void slowReadsOfANodeThatHardlyRunsAreLateAllTheSame() {
        localReads(200, 5, 5 * MS);
        hardlyRun(40, A, B);
        for (int period = 0; period < 40; period++) {
            guard.saysStarved(A, cluster.now);
            guard.saysStarved(B, cluster.now);
            cluster.now += 90 * MS;
            localReads(1, 5, 500 * MS);
        }
        assertEquals("avoided", guard.statusOf(SELF, cluster.now).state());
        assertTrue(guard.statusOf(SELF, cluster.now).reason().contains("reads took longer than"));
    }

    /** Where a coordinator reads from hundreds of nodes a look may last. */
    @Test
    void aLookThatTakesLongIsNoPause() {
        localReads(200, 5, 5 * MS);
        for (int look = 0; look < 1_000; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            guard.look(cluster.now);
            cluster.now += 19 * MS;
            guard.looked(cluster.now);
            assertFalse(guard.isStarved());
        }
    }

    @Test
    void aPauseWhileItLooksIsOne() {
        localReads(200, 5, 5 * MS);
        for (int look = 0; look < 100; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            guard.look(cluster.now);
            cluster.now += 90 * MS;
            guard.looked(cluster.now);
        }
        assertTrue(guard.isStarved());
    }

    @Test
    void aNodeSaysThatItHardlyRunsOnlyThen() {
        localReads(200, 5, 5 * MS);
        cluster.now += 300 * MS;
        localReads(1, 5, 5 * MS);
        assertFalse(guard.isStarved());
        guard.saysStarved("nobody", cluster.now);
        assertEquals(3, guard.replicas().size());
    }

    /** While all features are off nothing is observed, however many reads are served here and how long they take. */
    @ParameterizedTest
    @ValueSource(longs = {3_600 * SECOND, 30 * 24 * 3_600 * SECOND})
    void whatEndedUnseenHereIsNotTakenForOneObservation(long off) {
        cluster.serveSeconds(120, MS, A, B);
        long usual = guard.statusOf(SELF, cluster.now).patienceNanos();
        cluster.now += off;
        cluster.serveUnseen(1_150_000, 100 * MS);
        guard.forgetAll();
        cluster.serveSeconds(5, MS, A, B);
        assertEquals(List.of(), cluster.log);
        assertEquals(usual, guard.statusOf(SELF, cluster.now).patienceNanos(), MS, "others are known again");
    }

    @Test
    void whatWasSeenOfThisNodeIsForgottenToo() {
        cluster.serveSeconds(120, MS, A, B);
        cluster.serveSeconds(2, SECOND, A, B);
        assertNotEquals(ReplicaRanks.USED, cluster.rank(SELF), cluster.log::toString);
        cluster.guard.forgetAll();
        assertEquals(ReplicaRanks.USED, cluster.rank(SELF));
        assertTrue(cluster.log.get(1).startsWith("self used after "), cluster.log::toString);
        cluster.serveSeconds(5, MS, A, B);
        assertEquals(2, cluster.log.size(), cluster.log::toString);
    }
}
