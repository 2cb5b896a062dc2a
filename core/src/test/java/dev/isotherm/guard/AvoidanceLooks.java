// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.guard.Avoidance.State;

/** One replica's avoidance, look by look. */
abstract class AvoidanceLooks {
    static final long LOOK = ReadGuard.LOOK_NANOS;
    static final long SECOND = 1_000_000_000;
    static final long PATIENCE = 40_000_000;
    static final int LOOKS_BACK = 50;

    /** The clock wraps within each test. */
    long now = Long.MAX_VALUE - SECOND / 2;

    boolean anotherIsWell = true;
    Avoidance replica = new Avoidance(GuardSettings.defaults(), LOOKS_BACK, now);

    void beginAnew() {
        now = Long.MAX_VALUE - SECOND / 2;
        replica = new Avoidance(GuardSettings.defaults(), LOOKS_BACK, now);
    }

    static Evidence answers(int good, int late) {
        Evidence evidence = new Evidence();
        evidence.good = good;
        evidence.late = late;
        return evidence;
    }

    static Evidence overdue(int reads, boolean silent) {
        Evidence evidence = new Evidence();
        evidence.overdue = reads;
        evidence.unanswered = reads;
        evidence.silent = silent;
        return evidence;
    }

    static Evidence nothing() {
        return new Evidence();
    }

    boolean look(Evidence evidence) {
        now += LOOK;
        replica.see(evidence);
        return replica.decide(evidence, anotherIsWell, PATIENCE, now);
    }

    /** Nanoseconds of looks at a replica whose trouble goes on until it is tried. */
    long untilTried() {
        long from = now;
        while (replica.state() == State.AVOIDED) {
            assertFalse(look(overdue(1, false)), "a trial neither begins nor ends an avoidance");
        }
        assertEquals(State.TRIED, replica.state());
        return now - from;
    }

    void passTrial() {
        assertTrue(look(answers(Avoidance.PROVING_ANSWERS, 0)));
        assertEquals(State.USED, replica.state());
    }
}
