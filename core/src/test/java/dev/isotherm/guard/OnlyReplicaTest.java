// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A coordinator that serves no reads and has read from one node alone, as of one partition, at ONE. */
class OnlyReplicaTest {
    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);

    /** The partition has other replicas, of which this coordinator knows nothing yet. */
    @Test
    void itIsAvoidedWhenItAnswersNothing() {
        cluster.looksOfAnswers(301, B);
        cluster.sendTwo(B);
        cluster.looksOfAnswers(10);
        assertEquals(List.of("b: it answers nothing"), cluster.log);
    }
}
