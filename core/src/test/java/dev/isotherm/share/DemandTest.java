// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DemandTest {
    private static final double INTERVAL = 0.1;
    private static final double KEPT = Math.exp(-INTERVAL / 0.5);

    private final Demand demand = new Demand(3);

    /** An interval with so many decisions, each for one operation, all of which are admitted and begin at once. */
    private void interval(int decisions) {
        demand.asked(INTERVAL, decisions, decisions, 1, KEPT);
        demand.began(decisions / INTERVAL, KEPT);
        demand.served(3, false);
    }

    @Test
    void atFirstItIsWhatIsBusy() {
        assertEquals(3, demand.threads());
        assertEquals(3, demand.busyThreads());
        assertEquals(3, demand.unqueuedThreads(true));
    }

    @Test
    void itIsTheRateTimesTheTimeOfAnOperation() {
        for (int i = 0; i < 50; i++) {
            demand.lasted(2, 0.4, 4, 0.4, KEPT);
            interval(2);
        }
        assertEquals(20 * 0.2, demand.threads(), 1e-3);
        assertEquals(20 * 0.2, demand.unqueuedThreads(true), 1e-2);
    }

    /** Three threads are busy with what takes 0.2 s: 15 a second. */
    @Test
    void aFirstIntervalTellsTheMoreTheMoreDecisionsItHas() {
        demand.lasted(1, 0.2, 0, 0, KEPT);
        interval(2);
        assertEquals((15 + (20 - 15) * 2 / 6.0) * 0.2, demand.threads(), 1e-9);
        Demand afterNone = new Demand(3);
        afterNone.lasted(1, 0.2, 0, 0, KEPT);
        afterNone.asked(INTERVAL, 0, 0, 1, KEPT);
        afterNone.served(3, false);
        afterNone.asked(INTERVAL, 2, 2, 1, KEPT);
        afterNone.served(3, false);
        assertEquals((15 + (20 - 15) * 2 / 6.0) * 0.2, afterNone.threads(), 1e-9, "the first was empty");
        Demand ofMany = new Demand(3);
        ofMany.lasted(1, 0.2, 0, 0, KEPT);
        ofMany.asked(INTERVAL, 400, 400, 1, KEPT);
        ofMany.served(3, true);
        assertEquals(4_000 * 0.2, ofMany.threads(), 8);
    }

    /** By the last sixteen, about: one decision that stands for many says little. */
    @Test
    void theRateOfFewDecisionsIsToldByManyOfThem() {
        demand.lasted(1, 0.2, 0, 0, KEPT);
        for (int i = 0; i < 200; i++) {
            demand.lasted(1, 0.2, 0, 0, KEPT);
            interval(1);
        }
        assertEquals(10 * 0.2, demand.threads(), 1e-3);
        demand.asked(INTERVAL, 17, 1, 1, KEPT);
        demand.served(3, true);
        assertEquals((10 + (170 - 10) / 16.0) * 0.2, demand.threads(), 1e-3);
    }

    @Test
    void theRateOfManyDecisionsFollowsAtOnce() {
        for (int i = 0; i < 100; i++) {
            demand.lasted(40, 0.4, 0, 0, KEPT);
            interval(40);
        }
        assertEquals(400 * 0.01, demand.threads(), 1e-3);
        interval(80);
        assertEquals((400 + 400 / 4.0) * 0.01, demand.threads(), 1e-3);
    }

    @Test
    void anOperationThatHasNotEndedHasTakenWhatItHasTakenSoFar() {
        for (int i = 0; i < 100; i++) {
            demand.lasted(0, 0, 10, 8, KEPT);
            interval(2);
        }
        assertEquals(20 * 0.8, demand.threads(), 1e-3);
        // The first to end is the shortest of them.
        demand.lasted(1, 0.5, 9, 8.1, KEPT);
        interval(2);
        assertEquals(20 * 8.6 / 10, demand.threads(), 1e-3);
    }

    @Test
    void thoseThatHaveJustBegunDoNotMakeItSmaller() {
        for (int i = 0; i < 100; i++) {
            demand.lasted(1, 3, 30, 30, KEPT);
            interval(2);
        }
        assertEquals(20 * 3, demand.threads(), 1e-3);
    }

    @Test
    void whereNoneHasEndedForLongTheLastOnesCount() {
        demand.lasted(2, 4, 0, 0, KEPT);
        for (int i = 0; i < 100; i++) {
            demand.lasted(0, 0, 3, 0.3, KEPT);
            interval(2);
        }
        assertEquals(20 * 2, demand.threads(), 1e-3);
    }

    @Test
    void ofWhatNothingIsLeftTheLastIsKnown() {
        demand.lasted(2, 4, 0, 0, KEPT);
        for (int i = 0; i < 200; i++) {
            demand.lasted(0, 0, 0, 0, KEPT);
            interval(1);
        }
        assertEquals(10 * 2, demand.threads(), 1e-3);
    }

    @Test
    void aClientThatAsksByChanceHasNotGone() {
        demand.lasted(1, 1, 0, 0, KEPT);
        for (int i = 0; i < 50; i++) {
            interval(2);
        }
        double before = demand.threads();
        interval(0);
        assertTrue(demand.threads() > 0.7 * before, demand.threads() + " of " + before);
        interval(0);
        assertEquals(0, demand.threads(), "of two a tenth of a second four have not come");
        interval(2);
        assertEquals(before, demand.threads(), 0.1 * before, "it is back at once");
    }

    @Test
    void aBusyClientThatGoesHasGoneAtOnce() {
        demand.lasted(1, 1, 0, 0, KEPT);
        interval(100);
        interval(0);
        assertEquals(0, demand.threads());
    }

    /** One that stands for many is one decision: by it the next are not missed earlier. */
    @Test
    void decisionsAreMissedNotOperations() {
        demand.lasted(1, 1, 0, 0, KEPT);
        for (int i = 0; i < 50; i++) {
            demand.asked(INTERVAL, 64, 1, 1, KEPT);
        }
        for (int i = 0; i < 3; i++) {
            demand.asked(INTERVAL, 0, 0, 1, KEPT);
            demand.served(3, false);
            assertTrue(demand.threads() > 0);
        }
        demand.asked(INTERVAL, 0, 0, 1, KEPT);
        demand.served(3, false);
        assertEquals(0, demand.threads());
    }

    @Test
    void whoHoldsTooManyIsAdmittedLessUntilTheyWouldHaveEnded() {
        assertEquals(8, demand.admissible(8), "nothing is known yet");
        demand.lasted(10, 0.01, 28, 0.028, KEPT);
        assertEquals(8 - 10 * 0.001, demand.admissible(8), 1e-9);
        assertEquals(30, demand.admissible(30), 1e-9);
        demand.lasted(1_000_000, 3_300_000, 28, 30, KEPT);
        assertEquals(8 - 10 * 3.3, demand.admissible(8), 1e-3);
    }

    /** An interval with decisions that bring operations of 50 ms. Forty are begun and end: 20 threads are busy. */
    private void intervalOfLongStatements(int decisions) {
        demand.asked(INTERVAL, decisions, decisions, 1, KEPT);
        demand.lasted(40, 40 * 0.05, 0, 0, KEPT);
        demand.began(40 / INTERVAL, KEPT);
        demand.waits(0.01);
        demand.served(20, true);
    }

    @Test
    void whereADecisionBringsTwentyOperationsThreadsAreBusyWithAllOfThem() {
        for (int i = 0; i < 200; i++) {
            intervalOfLongStatements(2);
            assertEquals(20, demand.threads(), i < 2 ? 20 : 6, "after " + i + " intervals");
        }
        // What waits would hold threads as well.
        assertEquals(20 * (0.05 + 0.01) / 0.05, demand.unqueuedThreads(true), 1e-6);
    }

    /** Of 200 operations each: in four of five intervals nobody asks. */
    @Test
    void betweenTheDecisionsOfLongStatementsTheirThreadsAreAskedFor() {
        for (int i = 0; i < 300; i++) {
            intervalOfLongStatements(i % 5 == 0 ? 1 : 0);
            assertTrue(demand.threads() >= 14 || i < 6, demand.threads() + " after " + i + " intervals");
        }
        assertEquals(20, demand.threads(), 6);
    }

    /** A queue of what was asked for before keeps the threads busy while hardly anything is admitted. */
    @Test
    void whatBeginsWhileHardlyAnythingIsAdmittedIsOfNoLongStatement() {
        demand.lasted(40, 40 * 0.05, 0, 0, KEPT);
        for (int i = 0; i < 100; i++) {
            interval(40);
        }
        for (int i = 0; i < 100; i++) {
            boolean queued = i < 50;
            demand.asked(INTERVAL, 40, 40, 0.001, KEPT);
            demand.lasted(queued ? 40 : 0, queued ? 40 * 0.05 : 0, 0, 0, KEPT);
            demand.began(queued ? 40 / INTERVAL : 0, KEPT);
            demand.waits(queued ? 1 : 0);
            demand.served(queued ? 20 : 0, queued);
            assertTrue(demand.threads() <= 4 * 20 * 1.01, demand.threads() + " after " + i + " intervals");
        }
    }

    /** As of statements that were long and are so no more. */
    @Test
    void whoHoldsLittleOfWhatItMayIsAdmittedMore() {
        for (int i = 0; i < 200; i++) {
            intervalOfLongStatements(2);
        }
        double before = demand.threads();
        for (int i = 0; i < 100; i++) {
            demand.admissible(8);
            demand.asked(INTERVAL, 2, 2, 0.4, KEPT);
            demand.lasted(0, 0, 0, 0, KEPT);
            demand.began(0, KEPT);
            demand.waits(0);
            demand.served(1, false);
        }
        assertTrue(demand.threads() < 8.1, demand.threads() + " of " + before);
    }

    @Test
    void whoHoldsTooManyByLongStatementsIsAdmittedLess() {
        for (int i = 0; i < 200; i++) {
            intervalOfLongStatements(2);
        }
        // 24 are under way, for about a second each.
        double admissible = demand.admissible(10);
        assertTrue(admissible < 10 - 14 * 0.8 / 2, admissible + "");
        assertTrue(admissible > 10 - 14 * 1.2 / 2, admissible + "");
        assertEquals(30, demand.admissible(30), 1e-9);
    }
}
