// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A coordinator that only scans, after a time of other reads: by what was usual then no scan is in time. */
class RangeReadsTest {
    /** What a scan takes, in looks: 0.6 s. */
    private static final int SCAN = 60;

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final ReadGuard<String> guard = cluster.guard;
    private final Deque<Long> ofB = new ArrayDeque<>();
    private final Deque<Long> due = new ArrayDeque<>();
    private boolean answers = true;

    @BeforeEach
    void learn() {
        cluster.learnTheUsual();
    }

    /** Each scan reads from A, and from B where that is not avoided; the next one begins when one has ended. */
    private void scan(int looks) {
        for (int look = 0; look < looks; look++) {
            if (look % SCAN == 0) {
                long ofA = cluster.sendLasting(A);
                if (guard.avoided().rankOf(B, true) == ReplicaRanks.USED) {
                    ofB.add(cluster.sendLasting(B));
                    due.add(cluster.now + SCAN * ReadGuard.LOOK_NANOS);
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

    @Test
    void noReplicaIsJudgedByWhatScansTake() {
        scan(6_000);
        assertEquals(List.of(), cluster.log);
    }

    @Test
    void aReplicaThatAnswersNoneIsAvoided() {
        answers = false;
        scan(262);
        assertEquals(List.of("b: it answers nothing"), cluster.log);
    }

    /** One scan in four seconds finds out that it does not answer yet. */
    @Test
    void itIsTriedAtABoundedRateForAsLongAsItAnswersNothing() {
        answers = false;
        scan(262);
        int scansBefore = ofB.size();
        scan(6_000);
        assertEquals(List.of("b: it answers nothing"), cluster.log);
        int scans = ofB.size() - scansBefore;
        assertTrue(scans >= 5 && scans <= 20, scans + " scans in a minute waited for it");
    }

    @Test
    void itIsUsedAgainOnceItAnswersHoweverLongScansTake() {
        answers = false;
        scan(600);
        assertFalse(state().equals("used"));
        answers = true;
        scan(1_500);
        assertEquals("used", state(), cluster.log::toString);
        int soFar = cluster.log.size();
        scan(3_000);
        assertEquals(soFar, cluster.log.size(), cluster.log::toString);
    }
}
