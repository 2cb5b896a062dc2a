// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static dev.isotherm.guard.GuardedCluster.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadGuardTest {
    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final ReadGuard<String> guard = cluster.guard;

    private void silenceUntilAvoided(String replica) {
        cluster.sendTwo(replica);
        for (int look = 0; look < 10 && cluster.rank(replica) == ReplicaRanks.USED; look++) {
            cluster.looksOfAnswers(1, replica.equals(A) ? B : A);
        }
        assertEquals(ReplicaRanks.MOST_AVOIDED, cluster.rank(replica));
    }

    @Test
    void atFirstNothingIsAvoidedAndTheObjectIsTheSame() {
        assertTrue(guard.avoided().isEmpty());
        assertSame(guard.avoided(), guard.avoided());
        assertEquals(ReplicaRanks.USED, guard.avoided().rankOf("never seen", true));
        assertEquals(Set.of(SELF), guard.replicas());
        assertNull(guard.statusOf(A, cluster.now));
    }

    @Test
    void aSilentReplicaIsAvoidedTriedAndUsedAgain() {
        cluster.learnTheUsual();
        silenceUntilAvoided(B);
        assertEquals(List.of("b: it answers nothing"), cluster.log);
        assertFalse(guard.avoided().isEmpty());
        assertEquals(ReplicaRanks.USED, cluster.rank(A));
        ReplicaStatus avoided = guard.statusOf(B, cluster.now + 7 * MS);
        assertEquals("avoided", avoided.state());
        assertEquals("it answers nothing", avoided.reason());
        assertEquals(7 * MS, avoided.forNanos());
        assertEquals(2, avoided.unanswered());
        assertEquals(77 * MS, avoided.oldestNanos(), 2 * 1_024);

        cluster.looksOfAnswers(26, A);
        assertEquals("tried", guard.statusOf(B, cluster.now).state());
        assertEquals("it answers nothing", guard.statusOf(B, cluster.now).reason());
        int trials = 0;
        while (cluster.log.size() < 2) {
            boolean tried = B.equals(guard.avoided().claimTrial(B::equals));
            trials += tried ? 1 : 0;
            assertNull(guard.avoided().claimTrial(B::equals), "a second copy at the same time");
            assertTrue(guard.avoided().rankOf(B, true) >= ReplicaRanks.AVOIDED, "no read waits for the trial");
            cluster.looksOfAnswers(1, tried ? new String[] {A, B} : new String[] {A});
            assertTrue(trials <= 16);
        }
        assertEquals(16, trials);
        assertEquals("b used after 420", cluster.log.get(1));
        assertTrue(guard.avoided().isEmpty());
        ReplicaStatus used = guard.statusOf(B, cluster.now);
        assertEquals("used", used.state());
        assertEquals("", used.reason());
        assertEquals(-1, used.forNanos());
        assertEquals(30 * MS, used.patienceNanos());
    }

    @Test
    void otherSettingsAreFollowedByWhatIsWatchedAlready() {
        cluster.learnTheUsual();
        long before = guard.statusOf(A, cluster.now).patienceNanos();
        assertEquals(30 * MS, before, "the least");
        guard.use(new GuardSettings(80 * MS, 1_000 * MS, 2_000 * MS, 4_000 * MS));
        cluster.looksOfAnswers(101, A, B);
        assertEquals(80 * MS, guard.statusOf(A, cluster.now).patienceNanos());
        cluster.sendTwo(B);
        cluster.looksOfAnswers(15, A);
        assertEquals(ReplicaRanks.USED, cluster.rank(B), "twice the patience is silence");
        cluster.looksOfAnswers(2, A);
        assertEquals(ReplicaRanks.MOST_AVOIDED, cluster.rank(B));
        cluster.looksOfAnswers(190, A);
        assertEquals("avoided", guard.statusOf(B, cluster.now).state(), "for two seconds and no longer a quarter");
        cluster.looksOfAnswers(11, A);
        assertEquals("tried", guard.statusOf(B, cluster.now).state());
    }

    @Test
    void whereNoCopyTriesTheReplicaAReadDoesThatWouldContactIt() {
        cluster.learnTheUsual();
        silenceUntilAvoided(B);
        cluster.looksOfAnswers(49, A);
        assertEquals("tried", guard.statusOf(B, cluster.now).state());
        assertEquals(ReplicaRanks.MOST_AVOIDED, guard.avoided().rankOf(B, true), "a copy may still come");
        cluster.looksOfAnswers(2, A);
        assertEquals(ReplicaRanks.MOST_AVOIDED, guard.avoided().rankOf(B, false));
        assertEquals(ReplicaRanks.USED, guard.avoided().rankOf(B, true));
        assertEquals(ReplicaRanks.MOST_AVOIDED, guard.avoided().rankOf(B, true));
    }

    @Test
    void aCopyTriesOnlyWhatCanServeItAndNoOperatorHasTakenOut() {
        cluster.learnTheUsual();
        silenceUntilAvoided(B);
        assertFalse(guard.avoided().awaitsTrial(replica -> true, cluster.now));
        assertNull(guard.avoided().claimTrial(replica -> true));
        cluster.looksOfAnswers(26, A);
        assertTrue(guard.avoided().awaitsTrial(replica -> true, cluster.now));
        assertNull(guard.avoided().claimTrial(A::equals));
        guard.takeOut(B, cluster.now + SECOND);
        assertFalse(guard.avoided().awaitsTrial(replica -> true, cluster.now));
        assertNull(guard.avoided().claimTrial(replica -> true));
        guard.putBack(B);
        assertEquals(B, guard.avoided().claimTrial(replica -> true));
        assertFalse(guard.avoided().awaitsTrial(replica -> true, cluster.now));
    }

    @Test
    void aTrialThatFailsIsNoNewAvoidance() {
        cluster.learnTheUsual();
        silenceUntilAvoided(B);
        int before = cluster.sent(B);
        for (int look = 0; look < 2_000; look++) {
            if (guard.avoided().rankOf(B, true) == ReplicaRanks.USED) {
                cluster.send(B);
            }
            cluster.looksOfAnswers(1, A);
        }
        assertEquals(List.of("b: it answers nothing"), cluster.log);
        assertEquals(before + 6, cluster.sent(B), "after 0.25 and 1 s, and four times after 4 s");
    }

    @Test
    void lateReadsAreToldWithTheirNumberAndThePatience() {
        cluster.learnTheUsual();
        cluster.read(B, 31 * MS);
        cluster.read(B, 31 * MS);
        cluster.looksOfAnswers(1, A);
        assertEquals(List.of(), cluster.log);
        cluster.read(B, 31 * MS);
        cluster.looksOfAnswers(1, A);
        assertEquals(1, cluster.log.size());
        assertTrue(cluster.log.get(0).startsWith("b: 3 of its last "), cluster.log.get(0));
        assertTrue(cluster.log.get(0).endsWith(" reads took longer than 30 ms"), cluster.log.get(0));
    }

    /** This node's own reads are among those in trouble: no replica is left that could take the reads over. */
    @Test
    void whereAllAreInTroubleTheLastToFallStayInUse() {
        cluster.learnTheUsual();
        for (int i = 0; i < 20; i++) {
            guard.observeLocal(40, 0, 0, 0, cluster.now);
            cluster.looksOfAnswers(5, A, B);
        }
        assertEquals(List.of("self: it answers nothing"), cluster.log);
        for (int i = 0; i < 40; i++) {
            guard.observeLocal(40, 0, 0, 0, cluster.now);
            cluster.send(A);
            cluster.send(B);
            cluster.looksOfAnswers(1);
        }
        assertEquals(1, cluster.log.size(), cluster.log::toString);
        assertEquals(ReplicaRanks.USED, cluster.rank(A));
        assertEquals(ReplicaRanks.USED, cluster.rank(B));
    }

    /** Where this node's own reads are well, the others are compared with them; the others keep their order. */
    @Test
    void besideThisNodeBothOthersMayBeAvoided() {
        cluster.learnTheUsual();
        cluster.sendTwo(A);
        cluster.sendTwo(B);
        cluster.looksOfAnswers(20);
        assertEquals(Set.of("a: it answers nothing", "b: it answers nothing"), Set.copyOf(cluster.log));
    }

    /** One that is dead or far away is never late, and no help: what both others are is the load. */
    @Test
    void whereOnlyNodesThatServeNothingAreWellNothingIsAvoided() {
        cluster.learnTheUsual();
        cluster.learnTheUsualHere();
        cluster.cannotServe.add(B);
        cluster.looksOfAnswers(501, A);
        for (int look = 0; look < 40; look++) {
            for (int read = 0; read < 3; read++) {
                cluster.read(A, 100 * MS);
            }
            cluster.looksOfLateLocalReads(1);
        }
        assertEquals(List.of(), cluster.log);
        cluster.cannotServe.clear();
        cluster.read(A, 100 * MS);
        cluster.looksOfLateLocalReads(1);
        assertEquals(2, cluster.log.size(), "B could serve them: " + cluster.log);
    }

    @Test
    void aReplicaThatRestartsIsForgotten() {
        cluster.learnTheUsual();
        silenceUntilAvoided(B);
        cluster.looksOfAnswers(10, A);
        guard.restarted(B);
        assertTrue(guard.avoided().isEmpty());
        assertNull(guard.statusOf(B, cluster.now));
        assertEquals(Set.of(SELF, A), guard.replicas());
        assertEquals(List.of("b: it answers nothing", "b used after 100"), cluster.log, "its avoidance has ended");
        cluster.read(B, 900 * MS);
        assertEquals(1_000 * MS, guard.statusOf(B, cluster.now).patienceNanos());
        cluster.looksOfAnswers(1, A);
        assertEquals(2, cluster.log.size(), "a restarted node may be slow at first");
    }

    @Test
    void aReplicaThatIsUsedIsForgottenInSilenceAndThisNodeIsNot() {
        cluster.learnTheUsual();
        guard.forget(B);
        guard.forget(SELF);
        guard.forget("never seen");
        assertEquals(List.of(), cluster.log);
        assertEquals(Set.of(SELF, A), guard.replicas());
    }

    @Test
    void theOperatorTakesAReplicaOutAndPutsItBack() {
        cluster.learnTheUsual();
        guard.takeOut(B, cluster.now + 10 * SECOND);
        assertFalse(guard.avoided().isEmpty());
        assertEquals(ReplicaRanks.OUT, guard.avoided().rankOf(B, true));
        assertEquals(ReplicaRanks.USED, guard.avoided().rankOf(A, true));
        ReplicaStatus status = guard.statusOf(B, cluster.now);
        assertEquals("out", status.state());
        assertEquals("an operator has taken it out of reads", status.reason());
        guard.putBack(A);
        assertEquals(ReplicaRanks.OUT, cluster.rank(B));
        guard.putBack(B);
        assertTrue(guard.avoided().isEmpty());
        assertEquals("used", guard.statusOf(B, cluster.now).state());
        assertEquals(List.of(), cluster.log);
    }

    @Test
    void nobodyForgetsAReplicaThatWasTakenOut() {
        cluster.learnTheUsual();
        guard.takeOut(B, cluster.now + 5 * SECOND);
        guard.takeOut("never seen", cluster.now + SECOND);
        cluster.looksOfAnswers(99, A);
        assertEquals(ReplicaRanks.OUT, cluster.rank("never seen"));
        assertNull(guard.statusOf("never seen", cluster.now));
        cluster.looksOfAnswers(1, A);
        assertEquals(ReplicaRanks.USED, cluster.rank("never seen"));
        guard.takeOut(B, cluster.now + 6 * SECOND);
        cluster.looksOfAnswers(599, A);
        assertEquals(ReplicaRanks.OUT, cluster.rank(B), "the operator's last word counts");
        cluster.looksOfAnswers(1, A);
        assertTrue(guard.avoided().isEmpty());
    }

    @Test
    void theOperatorsHandAndTheGuardsAreIndependent() {
        cluster.learnTheUsual();
        silenceUntilAvoided(B);
        guard.takeOut(B, cluster.now + SECOND);
        assertEquals(ReplicaRanks.OUT, cluster.rank(B));
        guard.putBack(B);
        assertEquals(ReplicaRanks.MOST_AVOIDED, cluster.rank(B));
        guard.takeOut(B, cluster.now + SECOND);
        guard.restarted(B);
        assertEquals(ReplicaRanks.OUT, cluster.rank(B), "a restart during maintenance does not end it");
    }

    @Test
    void answersTwiceOrToNothingChangeNothing() {
        cluster.learnTheUsual();
        long id = cluster.send(B);
        guard.answered(B, id, cluster.now + MS);
        for (int i = 0; i < 10; i++) {
            guard.answered(B, id, cluster.now + 100 * MS);
            guard.answered(B, id + 1_000_000, cluster.now + 100 * MS);
            guard.answered("never seen", id, cluster.now);
        }
        cluster.looksOfAnswers(1, A);
        assertEquals(List.of(), cluster.log);
        assertEquals(0, guard.statusOf(B, cluster.now).unanswered());
        assertEquals(-1, guard.statusOf(B, cluster.now).oldestNanos());
        assertFalse(guard.replicas().contains("never seen"));
    }

    @Test
    void anAnswerOfAnotherReplicaIsNoAnswer() {
        cluster.learnTheUsual();
        long id = cluster.send(B);
        guard.answered(A, id, cluster.now);
        assertEquals(1, guard.statusOf(B, cluster.now).unanswered());
    }

    @Test
    void thisNodeIsNeverARemoteOne() {
        for (int i = 0; i < 200; i++) {
            guard.sent(SELF, i, cluster.now);
            guard.answered(SELF, i, cluster.now + SECOND);
            cluster.looksOfAnswers(1, A, B);
        }
        assertEquals(List.of(), cluster.log);
        assertEquals(0, guard.statusOf(SELF, cluster.now).unanswered());
        guard.observeLocal(3, 0, 0, 0, cluster.now);
        assertEquals(3, guard.statusOf(SELF, cluster.now).unanswered());
        assertEquals(-1, guard.statusOf(SELF, cluster.now).oldestNanos());
    }

    @Test
    void aReadOfAKnownReplicaAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        cluster.learnTheUsual();
        silenceUntilAvoided(B);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 20_000; i++) {
                guard.sent(A, i, cluster.now);
                guard.answered(A, i, cluster.now);
                guard.avoided().rankOf(A, true);
                guard.avoided().rankOf(B, true);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes in 20,000 reads");
    }
}
