// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.guard.Avoidance.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** When an avoided replica is tried and used again. */
class AvoidanceTrialTest extends AvoidanceLooks {
    @Test
    void trialsThatFailComeAfterAQuarterOneFourAndFourSeconds() {
        look(overdue(3, false));
        for (double seconds : new double[] {0.25, 1, 4, 4, 4}) {
            assertEquals(seconds * SECOND, untilTried());
            assertFalse(look(overdue(1, false)), "the same avoidance goes on");
            assertEquals(State.AVOIDED, replica.state());
        }
    }

    @Test
    void theTimesBetweenTrialsAreTheSettings() {
        replica = new Avoidance(new GuardSettings(1, 1, 3 * SECOND, 40 * SECOND), LOOKS_BACK, now);
        look(overdue(3, false));
        for (int seconds : new int[] {3, 12, 40, 40}) {
            assertEquals(seconds * SECOND, untilTried());
            look(overdue(1, false));
        }
    }

    @Test
    void theLongestTimesDoNotOverflow() {
        long longest = Long.MAX_VALUE / 2 + SECOND;
        replica = new Avoidance(new GuardSettings(1, 1, longest, longest), LOOKS_BACK, now);
        look(overdue(3, false));
        now += longest;
        look(nothing());
        look(overdue(1, false));
        assertEquals(State.AVOIDED, replica.state());
        look(nothing());
        assertEquals(State.AVOIDED, replica.state());
    }

    @Test
    void oneLateAnswerOrOverdueReadEndsATrial() {
        look(overdue(3, false));
        untilTried();
        look(answers(15, 0));
        look(answers(100, 1));
        assertEquals(State.AVOIDED, replica.state());
        assertEquals(SECOND, untilTried());
        look(overdue(1, false));
        assertEquals(4 * SECOND, untilTried());
    }

    @Property(tries = 200, seed = "58")
    void sixteenAnswersEndATrialHoweverTheyAreSpread(@ForAll @IntRange(min = 1, max = 5) int aLook) {
        beginAnew();
        look(overdue(3, false));
        untilTried();
        int answers = 0;
        while (replica.state() == State.TRIED) {
            assertTrue(answers < Avoidance.PROVING_ANSWERS);
            answers += aLook;
            assertEquals(answers >= Avoidance.PROVING_ANSWERS, look(answers(aLook, 0)));
        }
        assertEquals(State.USED, replica.state());
        assertEquals(0, replica.lateness().late());
        assertFalse(replica.claimTrial());
    }

    @Test
    void whereReadsAreRareFiveSecondsEndATrialThatHadAnAnswer() {
        look(overdue(3, false));
        untilTried();
        long began = now;
        look(answers(1, 0));
        while (replica.state() == State.TRIED) {
            look(nothing());
        }
        assertEquals(State.USED, replica.state());
        assertEquals(5 * SECOND, now - began);
    }

    @Test
    void aTrialWithoutAnAnswerGoesOn() {
        look(overdue(3, false));
        untilTried();
        for (int i = 0; i < 1_000; i++) {
            look(nothing());
        }
        assertEquals(State.TRIED, replica.state());
        assertTrue(replica.claimTrial());
        assertTrue(look(answers(1, 0)), "the first answer ends it");
    }

    /** What was late before and during the avoidance does not count again once the replica is used. */
    @Test
    void aPassedTrialIsAFreshStart() {
        look(answers(0, 100));
        untilTried();
        passTrial();
        assertFalse(look(answers(0, 2)));
        assertTrue(look(answers(0, 1)));
    }

    @Test
    void theFirstAnswerAfterSilenceBeginsATrialAtOnceButOnlyOnce() {
        look(overdue(1, true));
        look(overdue(5, true));
        look(answers(0, 1));
        assertEquals(State.TRIED, replica.state());
        look(overdue(1, true));
        assertEquals(State.AVOIDED, replica.state());
        for (int i = 0; i < 50; i++) {
            look(i % 2 == 0 ? overdue(1, true) : answers(1, 1));
            assertEquals(State.AVOIDED, replica.state(), "the second time its answers do not count");
        }
        assertEquals(SECOND / 2, untilTried());
    }

    @Test
    void anAnswerToAnOldReadBeginsATrialToo() {
        look(overdue(1, true));
        Evidence stray = nothing();
        stray.stray = 1;
        look(stray);
        assertEquals(State.TRIED, replica.state());
    }

    @Test
    void aReplicaThatFallsSilentWhileItIsAvoidedIsAwaitedToo() {
        look(answers(0, 3));
        look(answers(0, 1));
        assertEquals(State.AVOIDED, replica.state(), "a late replica is not awaited");
        look(overdue(1, true));
        look(answers(0, 1));
        assertEquals(State.TRIED, replica.state());
    }

    /** A pause: late reads and then none. Four reads try the replica at once, and their answers are enough. */
    @Test
    void afterAPauseFourAnswersEndTheAvoidance() {
        assertTrue(look(answers(20, 5)));
        assertFalse(look(overdue(2, true)), "while reads are late there is no trial");
        assertEquals(State.AVOIDED, replica.state());
        assertFalse(look(nothing()));
        assertEquals(State.TRIED, replica.state());
        for (int i = 0; i < Avoidance.ANSWERS_AFTER_PAUSE; i++) {
            assertTrue(replica.claimTrial());
        }
        assertFalse(replica.claimTrial());
        assertFalse(look(answers(3, 0)));
        assertTrue(look(answers(1, 0)));
        assertEquals(State.USED, replica.state());
    }

    @Test
    void aPauseIsBelievedOnceAndNoRelapseIsOne() {
        look(answers(20, 5));
        look(nothing());
        look(overdue(1, false));
        look(nothing());
        assertEquals(State.AVOIDED, replica.state());
        assertEquals(SECOND - LOOK, untilTried());
        passTrial();
        look(answers(20, 5));
        look(nothing());
        assertEquals(State.AVOIDED, replica.state());
        assertEquals(4 * SECOND - LOOK, untilTried());
    }

    @Test
    void aRelapseWaitsFourTimesAsLong() {
        look(overdue(3, false));
        for (double seconds : new double[] {0.25, 1, 4, 4, 4}) {
            assertEquals(seconds * SECOND, untilTried());
            passTrial();
            now += Avoidance.RELAPSE_NANOS - 2 * LOOK;
            assertTrue(look(overdue(3, false)));
        }
        untilTried();
        passTrial();
        now += Avoidance.RELAPSE_NANOS - LOOK;
        assertTrue(look(overdue(3, false)));
        assertEquals(SECOND / 4, untilTried(), "three seconds later it is no relapse");
    }

    @Test
    void aRelapseIntoSilenceIsTriedForThreeSeconds() {
        look(overdue(1, true));
        for (int relapse = 0; relapse < 3; relapse++) {
            untilTried();
            long tried = now;
            while (!look(answers(1, 0))) {
                assertEquals(State.TRIED, replica.state());
            }
            long enough = relapse == 0 ? Avoidance.PROVING_ANSWERS * LOOK : Avoidance.RELAPSE_NANOS;
            assertEquals(enough, now - tried);
            assertTrue(look(overdue(1, true)));
        }
        untilTried();
        assertFalse(look(answers(1, 1)), "one that is late ends it all the same");
        assertEquals(State.AVOIDED, replica.state());
    }

    /** The reads were late first, as where many are under way when a pause begins. */
    @Test
    void soIsOneThatFallsSilentOnceItIsAvoidedAgain() {
        relapse(overdue(3, false));
        look(overdue(3, true));
        untilTried();
        assertFalse(look(answers(Avoidance.PROVING_ANSWERS, 0)));
        now += Avoidance.RELAPSE_NANOS;
        assertTrue(look(answers(1, 0)));
    }

    @Test
    void oneThatIsLateAfterThatIsTriedAsEver() {
        relapse(overdue(1, true));
        untilTried();
        now += Avoidance.RELAPSE_NANOS;
        passTrial();
        look(overdue(3, false));
        untilTried();
        passTrial();
    }

    /** Each of so many that are in time by chance would have to be. */
    @Test
    void aLongTrialTakesFewCopies() {
        relapse(overdue(1, true));
        untilTried();
        int copies = 0;
        boolean answered = false;
        while (!look(answered ? answers(1, 0) : nothing())) {
            answered = replica.claimTrial();
            copies += answered ? 1 : 0;
        }
        assertTrue(copies <= Avoidance.PROVING_ANSWERS + 30, copies + " in three seconds");
    }

    private void relapse(Evidence seen) {
        look(overdue(3, false));
        untilTried();
        passTrial();
        assertTrue(look(seen));
        assertEquals(State.AVOIDED, replica.state());
    }

    @Test
    void aRelapseIsNotAwaited() {
        look(overdue(1, true));
        look(answers(1, 0));
        passTrial();
        look(overdue(1, true));
        look(answers(1, 0));
        assertEquals(State.AVOIDED, replica.state());
    }

    @Test
    void readsTryOneAtATime() {
        assertFalse(replica.claimTrial());
        look(overdue(3, false));
        assertFalse(replica.claimTrial());
        untilTried();
        assertTrue(replica.claimTrial());
        assertFalse(replica.claimTrial());
        Evidence running = nothing();
        running.unanswered = 1;
        look(running);
        assertFalse(replica.claimTrial(), "its read has no answer yet");
        look(answers(1, 0));
        assertTrue(replica.claimTrial());
        look(nothing());
        assertTrue(replica.claimTrial(), "a read that claimed the trial and was not sent does not block it");
        look(overdue(1, false));
        assertFalse(replica.claimTrial());
    }

    @Test
    void aCopyThatIsClaimedBetweenTheLookAndItsDecisionIsUnderWay() {
        look(overdue(3, false));
        untilTried();
        now += LOOK;
        replica.see(nothing());
        assertTrue(replica.claimTrial());
        assertFalse(replica.decide(nothing(), true, PATIENCE, now));
        assertFalse(replica.claimTrial());
        look(nothing());
        assertTrue(replica.claimTrial());
    }

    /** Four are offered after a pause, and once nothing is under way the rest come one at a time. */
    @Test
    void ofSeveralThatAreLeftOneGoesOn() {
        look(answers(20, 5));
        look(nothing());
        look(nothing());
        assertTrue(replica.claimTrial());
        assertFalse(replica.claimTrial());
    }

    @Test
    void ofManyThreadsOneClaimsTheTrial() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            look(overdue(3, false));
            untilTried();
            for (int round = 0; round < 2_000; round++) {
                List<Callable<Boolean>> claims = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    claims.add(replica::claimTrial);
                }
                int claimed = 0;
                for (Future<Boolean> claim : threads.invokeAll(claims, 60, TimeUnit.SECONDS)) {
                    claimed += claim.get() ? 1 : 0;
                }
                assertEquals(1, claimed);
                look(nothing());
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
