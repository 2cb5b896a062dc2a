// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static dev.isotherm.guard.GuardedCluster.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients find their replicas and read at LOCAL_ONE: a coordinator asks others for its slowest reads alone, which take
 * them longer than its own do on average.
 */
class SilentBesideSlowTest {
    private static final int HANGS_FROM = 30 * 100;
    private static final int LOOKS = 70 * 100;

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private long served;

    @ParameterizedTest
    @ValueSource(longs = {25, 60, 300})
    void aNodeWhoseDiskHangsLeavesItsReadsToThem(long millisOfOthers) {
        int usedWhileItHangs = 0;
        for (int look = 0; look < LOOKS; look++) {
            boolean hangs = look >= HANGS_FROM;
            serve(look, hangs);
            if (look % 10 == 0) {
                cluster.read(A, millisOfOthers * MS);
                cluster.read(B, millisOfOthers * MS);
            }
            cluster.guard.look(cluster.now);
            usedWhileItHangs += hangs && cluster.rank(SELF) == ReplicaRanks.USED ? 1 : 0;
        }
        assertTrue(usedWhileItHangs < 150, usedWhileItHangs + " looks; " + cluster.log);
        assertTrue(cluster.rank(SELF) > ReplicaRanks.USED);
    }

    /** This node's disk hangs, and one of the others is slow: the third, which was well, answers nothing any more. */
    @Test
    void oneThatAnswersNothingIsAvoidedBesideASlowOne() {
        for (int look = 0; look < 20 * 100; look++) {
            look(look, false);
            cluster.read(B, MS);
        }
        for (int look = 0; look < 100; look++) {
            look(look, true);
            cluster.read(B, MS);
        }
        assertTrue(
                cluster.rank(SELF) > ReplicaRanks.USED && cluster.rank(A) > ReplicaRanks.USED, cluster.log::toString);
        assertEquals(ReplicaRanks.USED, cluster.rank(B));
        int used = 0;
        for (int look = 0; look < 10 * 100; look++) {
            look(look, true);
            if (cluster.isRead(B)) {
                cluster.send(B);
            }
            used += cluster.rank(B) == ReplicaRanks.USED || cluster.rank(SELF) == ReplicaRanks.USED ? 1 : 0;
        }
        assertTrue(used < 50, used + " looks; " + cluster.log);
    }

    private void look(int look, boolean hangs) {
        serve(look, hangs);
        cluster.read(A, 300 * MS);
        cluster.guard.look(cluster.now);
    }

    /** What this node's read threads do until the look. */
    private void serve(int look, boolean hangs) {
        cluster.now += ReadGuard.LOOK_NANOS;
        if (look % 5 == 0) {
            served += hangs ? 0 : 15;
            cluster.guard.observeLocal(hangs ? 40 : 1, served, served * MS, 0, cluster.now);
        }
    }
}
