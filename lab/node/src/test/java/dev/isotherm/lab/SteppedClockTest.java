// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.cassandra.utils.Clock;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SteppedClockTest {
    private final Clock clock = FBUtilities.construct(SteppedClock.class.getName(), "clock");

    @AfterEach
    void isRightAgain() {
        SteppedClock.setAhead(0);
    }

    @Test
    void theWallClockStepsAndMonotonicTimeDoesNot() {
        long nanos = clock.nanoTime();
        long ahead = millisAhead(5_000);
        long behind = millisAhead(-5_000);
        assertEquals(10_000, ahead - behind, 1_000);
        long passed = clock.nanoTime() - nanos;
        assertTrue(passed >= 0 && passed < 4_000_000_000L, () -> passed + " ns");
    }

    @Test
    void anOrderThatAsksACassandraWithAnotherClockIsRefused() {
        ControlChannel.Command order = NodeCommands.all().get("clock");
        assertThrows(IllegalStateException.class, () -> order.run("5000"));
    }

    private long millisAhead(long millis) {
        SteppedClock.setAhead(millis);
        return clock.currentTimeMillis();
    }
}
