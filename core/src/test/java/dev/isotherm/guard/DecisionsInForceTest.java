// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Whoever asks which nodes might serve may meet an exception; what has been decided is in force all the same. */
class DecisionsInForceTest {
    private static final int LOOKS_A_SECOND = (int) (SECOND / ReadGuard.LOOK_NANOS);

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);

    /** In one look of each second the guard asks: each time a second and a look pass, so that it is any of them. */
    @Test
    void whatIsOutIsBackInTime() {
        cluster.cannotServe.add(A);
        cluster.learnTheUsual();
        cluster.cannotTell = true;
        for (int time = 0; time < LOOKS_A_SECOND; time++) {
            cluster.guard.takeOut(B, cluster.now + (LOOKS_A_SECOND + 1) * ReadGuard.LOOK_NANOS);
            for (int look = 0; look < LOOKS_A_SECOND + 1; look++) {
                look();
            }
            assertEquals(ReplicaRanks.USED, cluster.rank(B), "time " + time);
        }
    }

    private void look() {
        cluster.now += ReadGuard.LOOK_NANOS;
        try {
            cluster.guard.look(cluster.now);
        } catch (IllegalStateException e) {
            assertEquals("on purpose", e.getMessage());
        }
    }
}
