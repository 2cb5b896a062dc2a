// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static dev.isotherm.guard.GuardedCluster.SELF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A replica that waits for a trial and is dead, as of a rack that has failed: no copy of a read is made for it. */
class DeadAvoidedReplicaTest {
    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final Avoided<String> avoided = whileBWaits();
    private int asked;

    private Avoided<String> whileBWaits() {
        cluster.learnTheUsual();
        cluster.sendTwo(B);
        cluster.looksOfAnswers(40, A);
        return cluster.guard.avoided();
    }

    private Predicate<String> answering(boolean alive) {
        return replica -> {
            asked++;
            return alive;
        };
    }

    @Test
    void itAwaitsNone() {
        assertTrue(avoided.awaitsTrial(B::equals, cluster.now));
        assertFalse(avoided.awaitsTrial(replica -> !replica.equals(B), cluster.now));
        assertTrue(avoided.isByGuard(B));
        assertFalse(avoided.isByGuard(SELF));
    }

    /** There may be hundreds, and each read that leaves asks. */
    @Test
    void itIsAskedForOnceALook() {
        for (int read = 0; read < 1_000; read++) {
            assertFalse(avoided.awaitsTrial(answering(false), cluster.now + read));
        }
        assertEquals(1, asked);
        assertTrue(avoided.awaitsTrial(answering(true), cluster.now + ReadGuard.LOOK_NANOS));
        assertTrue(avoided.awaitsTrial(answering(true), cluster.now + ReadGuard.LOOK_NANOS));
        assertEquals(3, asked, "one that is alive is not waited for");
    }

    /** The clocks of other threads may be behind. */
    @Test
    void anEarlierInstantAsksAnew() {
        assertFalse(avoided.awaitsTrial(answering(false), cluster.now));
        assertTrue(avoided.awaitsTrial(answering(true), cluster.now - 1));
    }
}
