// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A coordinator that only scans, after a time of other reads: by what was usual then no scan is in time. */
class RangeReadsTest {
    private static final int LOOKS_A_SECOND = 100;

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final ReadGuard<String> guard = cluster.guard;
    private final Deque<Long> ofB = new ArrayDeque<>();
    private final Deque<Long> due = new ArrayDeque<>();
    private boolean answers = true;
    /** What a scan takes, in looks. */
    private int scanLooks = 60;

    @BeforeEach
    void learn() {
        cluster.learnTheUsual();
    }

    /** Each scan reads from A, and from B where that is not avoided; the next one begins when one has ended. */
    private void scan(int looks) {
        for (int look = 0; look < looks; look++) {
            if (look % scanLooks == 0) {
                long ofA = cluster.sendLasting(A);
                if (guard.avoided().rankOf(B, true) == ReplicaRanks.USED) {
                    ofB.add(cluster.sendLasting(B));
                    due.add(cluster.now + scanLooks * ReadGuard.LOOK_NANOS);
                }
                cluster.looksOfAnswers(1);
                guard.answered(A, ofA, cluster.now);
            } else {
                cluster.looksOfAnswers(1);
            }
            while (answers && !due.isEmpty() && cluster.now - due.peek() >= 0) {
                due.remove();
                guard.answered(B, ofB.remove(), cluster.now);
            }
        }
    }

    private String state() {
        return guard.statusOf(B, cluster.now).state();
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 300, 450})
    void noReplicaIsJudgedByWhatScansTake(int takes) {
        scanLooks = takes;
        scan(600 * LOOKS_A_SECOND);
        assertEquals(List.of(), cluster.log);
    }

    /** Each answer of seven seconds takes longer than one of a replica that is silent, until that is known. */
    @Test
    void whereEachTakesLongerItIsTakenForSilenceOnce() {
        scanLooks = 700;
        scan(600 * LOOKS_A_SECOND);
        assertEquals("used", state(), cluster.log::toString);
        assertTrue(cluster.log.size() <= 2, cluster.log::toString);
    }

    @Test
    void aReplicaThatAnswersNoneIsAvoidedAsOneThatIsHardlyLate() {
        answers = false;
        scan(502);
        assertEquals(List.of("b: it answers nothing"), cluster.log);
        assertEquals(ReplicaRanks.AVOIDED, cluster.rank(B), "none of another datacenter comes before it");
    }

    @Test
    void itIsTriedAtABoundedRateForAsLongAsItAnswersNothing() {
        answers = false;
        scan(502);
        int scansBefore = ofB.size();
        scan(60 * LOOKS_A_SECOND);
        assertEquals(List.of("b: it answers nothing"), cluster.log);
        int scans = ofB.size() - scansBefore;
        assertTrue(scans >= 4 && scans <= 20, scans + " scans in a minute waited for it");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 300})
    void itIsUsedAgainOnceItAnswersHoweverLongScansTake(int takes) {
        scanLooks = takes;
        answers = false;
        scan(900);
        assertNotEquals("used", state());
        answers = true;
        scan(30 * LOOKS_A_SECOND);
        assertEquals("used", state(), cluster.log::toString);
        int soFar = cluster.log.size();
        scan(60 * LOOKS_A_SECOND);
        assertEquals(soFar, cluster.log.size(), cluster.log::toString);
    }

    /** It was late with other reads, of which none comes any more: a scan at a time tries it, and for five seconds. */
    @Test
    void oneThatWasLateIsTriedByOneScanAtATimeAndUsedAgain() {
        for (int read = 0; read < 5; read++) {
            cluster.read(B, 100 * MS);
        }
        cluster.looksOfAnswers(1, A);
        assertEquals("avoided", state());
        int most = 0;
        int sent = 0;
        for (int look = 0; look < 10 * LOOKS_A_SECOND && !state().equals("used"); look++) {
            for (int scan = 0; scan < 3; scan++) { // As many come before each look as would wait there.
                if (guard.avoided().rankOf(B, true) == ReplicaRanks.USED) {
                    ofB.add(cluster.sendLasting(B));
                    due.add(cluster.now + 100 * ReadGuard.LOOK_NANOS);
                    sent++;
                }
            }
            most = Math.max(most, ofB.size());
            cluster.looksOfAnswers(1);
            guard.answered(A, cluster.sendLasting(A), cluster.now);
            while (!due.isEmpty() && cluster.now - due.peek() >= 0) {
                due.remove();
                guard.answered(B, ofB.remove(), cluster.now);
            }
        }
        assertEquals("used", state(), cluster.log::toString);
        assertEquals(1, most, "scans that waited at once");
        assertTrue(sent <= 8, sent + " scans");
    }

    /** A scan that waits keeps no copy of another read from trying the replica. */
    @Test
    void copiesTryItBesideAScanThatWaits() {
        answers = false;
        scan(502);
        cluster.looksOfAnswers(100, A);
        cluster.sendLasting(B);
        int copies = 0;
        for (int look = 0; look < 100 && !guard.avoided().isEmpty(); look++) {
            boolean tried = B.equals(guard.avoided().claimTrial(B::equals));
            copies += tried ? 1 : 0;
            cluster.looksOfAnswers(1, tried ? new String[] {A, B} : new String[] {A});
        }
        assertEquals("used", state(), () -> "tried, " + cluster.log);
        assertTrue(copies <= Avoidance.PROVING_ANSWERS + 1, copies + " copies");
    }
}
