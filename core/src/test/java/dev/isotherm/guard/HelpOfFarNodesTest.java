// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

/** Where all replicas of the datacenter are in trouble, one of another that answers well is reason to avoid them. */
class HelpOfFarNodesTest {
    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);

    /** As where a read at QUORUM is answered by replicas of several datacenters. */
    @Test
    void aNodeOfAnotherDatacenterThatServesReadsIsHelp() {
        cluster.learnTheUsual();
        cluster.learnTheUsualHere();
        cluster.cannotServe.add(B);
        cluster.looksOfAnswers(501, A, B);
        for (int look = 0; look < 40; look++) {
            for (int read = 0; read < 3; read++) {
                cluster.read(A, 100 * MS);
            }
            cluster.read(B, 5 * MS);
            cluster.looksOfLateLocalReads(1);
        }
        assertNotEquals(ReplicaRanks.USED, cluster.rank(A));
    }
}
