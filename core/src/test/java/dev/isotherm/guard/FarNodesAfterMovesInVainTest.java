// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Once moving reads was in vain, those that wait a little elsewhere forbid it: but not those of another datacenter. */
class FarNodesAfterMovesInVainTest {
    private static final String C = "c";

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);

    private void looksOfAnswers(int looks) {
        for (int look = 0; look < looks; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, 18 * MS);
            cluster.read(B, 5 * MS);
            cluster.read(C, 5 * MS);
            cluster.guard.look(cluster.now);
        }
    }

    private boolean isAvoidedOnceItIsLate() {
        cluster.late(B);
        return cluster.isAvoided(B);
    }

    /** C's reads wait for longer than a quarter of 30 ms, and none waits at A. */
    @ParameterizedTest
    @CsvSource({"true, true", "false, false"})
    void oneIsAvoidedThoughReadsOfAnotherDatacenterWait(boolean isFar, boolean avoided) {
        if (isFar) {
            cluster.cannotServe.add(C);
        }
        looksOfAnswers(301);
        assertEquals(true, isAvoidedOnceItIsLate(), cluster.log::toString);
        for (int look = 0; look < 30; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, 18 * MS);
            cluster.read(C, 5 * MS);
            cluster.guard.look(cluster.now);
        }
        cluster.waiting(A, 3, 33 * MS);
        assertEquals(false, cluster.isAvoided(B), cluster.log::toString);
        cluster.guard.forget(A);
        looksOfAnswers(400);

        cluster.waiting(C, 3, 12 * MS);
        assertEquals(avoided, isAvoidedOnceItIsLate(), cluster.log::toString);
    }
}
