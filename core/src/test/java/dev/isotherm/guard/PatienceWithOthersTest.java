// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static dev.isotherm.guard.GuardedCluster.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** This node's own reads, of which only a mean is known, may take as long as a read of another replica. */
class PatienceWithOthersTest {
    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private long observed;

    /** Seconds in which local reads take 5 ms. */
    private void seconds(int seconds, boolean othersAnswer) {
        for (int look = 0; look < 100 * seconds; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            if (othersAnswer) {
                cluster.read(A, 38 * MS);
                cluster.read(B, 20 * MS);
            }
            if (look % 5 == 0) {
                observed += 5;
                cluster.guard.observeLocal(1, observed, observed * 5 * MS, 0, cluster.now);
            }
            cluster.guard.look(cluster.now);
        }
    }

    private long patience(String replica) {
        return cluster.guard.statusOf(replica, cluster.now).patienceNanos();
    }

    @Test
    void thePatienceWithThisNodeIsTheLeastWithAnother() {
        seconds(5, true);
        assertEquals(2 * RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(20 * MS)), patience(B));
        assertEquals(patience(B), patience(SELF));
        cluster.guard.forget(B);
        seconds(2, false);
        assertEquals(2 * RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(38 * MS)), patience(A));
        assertEquals(patience(A), patience(SELF));
    }

    @Test
    void alonePatienceIsThatOfTheMean() {
        seconds(5, true);
        cluster.guard.forget(A);
        cluster.guard.forget(B);
        seconds(2, false);
        assertEquals(30 * MS, patience(SELF));
    }
}
