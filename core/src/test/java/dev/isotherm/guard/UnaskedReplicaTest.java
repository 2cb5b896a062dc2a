// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.guard.Avoidance.State;
import org.junit.jupiter.api.Test;

/** An avoided replica that no read has among its own any more. */
class UnaskedReplicaTest extends AvoidanceLooks {
    /** Ranges have moved, or its clients have gone. */
    @Test
    void whereNoReadAsksForTheReplicaItIsAvoidedForTenMinutesAtMost() {
        look(overdue(3, false));
        untilTried();
        long from = now;
        while (!look(nothing())) {
            assertEquals(State.TRIED, replica.state());
            assertTrue(now - from < Avoidance.UNASKED_NANOS, "after ns: " + (now - from));
        }
        assertEquals(State.USED, replica.state());
        assertEquals(Avoidance.UNASKED_NANOS, now - from, LOOK);
    }

    @Test
    void aTrialThatWasClaimedAndNotAnsweredGoesOn() {
        look(overdue(3, false));
        untilTried();
        assertTrue(replica.claimTrial());
        for (long end = now + 2 * Avoidance.UNASKED_NANOS; now < end; ) {
            assertFalse(look(nothing()));
            replica.claimTrial();
        }
        assertEquals(State.TRIED, replica.state());
    }
}
