// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.guard.Avoidance.State;
import org.junit.jupiter.api.Test;

/** A replica that is late by its own past, and not beside the others. */
class ExcuseTest extends AvoidanceLooks {
    private static Evidence compared(Evidence evidence, boolean asElsewhere) {
        evidence.beyondOwn = true;
        evidence.asElsewhere = asElsewhere;
        return evidence;
    }

    private void avoidAndTry() {
        look(overdue(3, false));
        untilTried();
    }

    private void useAgain() {
        beginAnew();
        avoidAndTry();
        passTrial();
    }

    @Test
    void aTrialIsPassedByAnswersThatTakeAsLongElsewhere() {
        avoidAndTry();
        assertFalse(look(compared(answers(15, 0), true)));
        assertFalse(replica.takeExcuse());
        assertTrue(look(compared(answers(1, 0), true)));
        assertEquals(State.USED, replica.state());
        assertTrue(replica.takeExcuse());
        assertFalse(replica.takeExcuse(), "once");
    }

    @Test
    void aTrialFailsByAnswersThatTakeLongerThanElsewhere() {
        avoidAndTry();
        look(compared(answers(15, 0), true));
        assertEquals(State.TRIED, replica.state(), "until the last answer it is open");
        assertFalse(look(compared(answers(1, 0), false)));
        assertEquals(State.AVOIDED, replica.state());
        assertFalse(replica.takeExcuse());
        assertEquals(ReplicaRanks.MOST_AVOIDED, replica.rank(0), "after each other one that is avoided");
        assertEquals(SECOND, untilTried(), "as after any trial that failed");
    }

    @Test
    void answersAsUsualNeedNoExcuse() {
        useAgain();
        assertFalse(replica.takeExcuse());
    }

    @Test
    void aRelapseIsExcusedWhereReadsTakeAsLongElsewhere() {
        useAgain();
        assertFalse(look(compared(answers(20, 5), true)));
        assertEquals(State.USED, replica.state());
        assertTrue(replica.takeExcuse());
        assertFalse(look(compared(answers(20, 0), true)), "what was late before counts no longer");
        assertFalse(replica.takeExcuse());
    }

    @Test
    void aRelapseOfASlowerOneASilentOneOrALaterTroubleIsNotExcused() {
        useAgain();
        assertTrue(look(compared(answers(20, 5), false)));

        useAgain();
        assertTrue(look(compared(overdue(5, true), true)));

        useAgain();
        Evidence hanging = compared(answers(20, 5), true);
        hanging.hangs = true;
        assertTrue(look(hanging));

        useAgain();
        Evidence leaving = compared(answers(20, 5), true);
        leaving.leaves = true;
        assertTrue(look(leaving));

        useAgain();
        now += Avoidance.RELAPSE_NANOS;
        assertTrue(look(compared(answers(20, 5), true)));
        assertFalse(replica.takeExcuse());
    }

    @Test
    void whatIsLateForTheFirstTimeIsNotExcused() {
        assertTrue(look(compared(answers(20, 5), true)));
        assertEquals(State.AVOIDED, replica.state());
    }

    /** What its own latest answers say counts at the time, and not for good. */
    @Test
    void itIsNoLongerThanTheReplicasOwnLatestAnswersSay() {
        Excuse excuse = new Excuse();
        excuse.begin(400);
        excuse.atMost(150);
        assertEquals(150, excuse.nanos());
        excuse.atMost(Long.MAX_VALUE);
        assertEquals(150, excuse.nanos(), "what the next ones take is no reason");
        for (int second = 0; second < Learning.SECONDS; second++) {
            excuse.second();
        }
        assertEquals(-1, excuse.nanos());
    }
}
