// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LocalReadsTest {
    private static final long MS = 1_000_000;
    private static final long INTERVAL = 50 * MS;
    private static final long USUAL = 10 * MS;

    private LocalReads local = new LocalReads(GuardSettings.defaults());
    private final Evidence seen = new Evidence();
    private long now;
    private long reads;
    private long nanosOfReads;
    private long nanosOfOthers;

    /** One interval of observation in which so many reads ended. */
    private Evidence interval(int tasks, int ended, long nanosEach, long nanosOfOther) {
        now += INTERVAL;
        reads += ended;
        nanosOfReads += ended * nanosEach;
        nanosOfOthers += nanosOfOther;
        local.observe(tasks, reads, nanosOfReads, nanosOfOthers, 0, now);
        local.see(seen, now);
        return seen;
    }

    private Evidence interval(int tasks, int ended, long nanosEach) {
        return interval(tasks, ended, nanosEach, 0);
    }

    /** A minute in which reads take 10 ms. */
    private void learnTheUsual() {
        local = new LocalReads(GuardSettings.defaults());
        now = Long.MAX_VALUE - 60_300 * MS;
        for (int second = 0; second < 60; second++) {
            for (int i = 0; i < 20; i++) {
                interval(1, 5, USUAL);
            }
            local.learn(true);
        }
        assertEquals(4 * USUAL, local.patienceNanos(), 10);
        assertFalse(seen.isBad());
    }

    @Test
    void untilTheUsualIsKnownTheGuardIsAsPatientAsItMayBe() {
        interval(1, 0, 0);
        interval(1, 99, 20 * MS);
        local.learn(true);
        assertEquals(1_000 * MS, local.patienceNanos());
        assertEquals(99, seen.good);
        for (int i = 0; i < 9; i++) {
            assertFalse(interval(1, 5, 900 * MS).isBad());
        }
    }

    @Test
    void aHundredReadsAreTheUsual() {
        interval(1, 0, 0);
        interval(1, 101, 20 * MS);
        local.learn(true);
        assertEquals(80 * MS, local.patienceNanos(), 10);
        local.judgeFrom(now);
        assertEquals(60 * MS, local.patienceNanos(), 10);
        local.trust();
        assertEquals(80 * MS, local.patienceNanos(), 10);
    }

    @Test
    void aLocalReadMayTakeAsLongAsOneOfAnotherReplica() {
        learnTheUsual();
        KnownReads.compare(local, new KnownReads(100 * MS, 10 * MS, 1));
        assertEquals(200 * MS, local.patienceNanos());
        assertFalse(interval(2, 50, 190 * MS).isBad());
        KnownReads.compare(local, new KnownReads(10 * MS, 1 * MS, 1));
        assertEquals(4 * USUAL, local.patienceNanos(), 10);
        assertTrue(interval(2, 5, 190 * MS).isBad());
        KnownReads.compare(local);
        assertEquals(4 * USUAL, local.patienceNanos(), 10);
    }

    /** The mean of the last half second decides: nine of ten intervals are as always. */
    @Property(tries = 100, seed = "60")
    void readsAreLateWhenTheirMeanIsFourTimesTheUsual(@ForAll @IntRange(min = 1, max = 300) int times) {
        learnTheUsual();
        interval(1, 5, times * USUAL);
        boolean late = 45 * USUAL + 5L * times * USUAL > 50 * local.patienceNanos();
        assertEquals(late ? 50 : 0, seen.overdue, "reads late at " + times + " times the usual");
        assertEquals(late ? 0 : 5, seen.good);
        assertFalse(seen.silent);
    }

    @Test
    void twoReadsHaveNoMean() {
        learnTheUsual();
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            interval(0, 0, 0);
        }
        assertFalse(interval(0, 2, 5_000 * MS).isBad());
        assertTrue(interval(0, 1, 5_000 * MS).isBad());
        for (int i = 0; i < ReadStageLooks.LOOKS - 2; i++) {
            assertTrue(interval(0, 0, 0).isBad(), "half a second counts");
        }
        assertFalse(interval(0, 0, 0).isBad());
    }

    @Test
    void betweenTwoObservationsThereIsNoNewAnswerAndNoNewTrial() {
        learnTheUsual();
        assertEquals(5, interval(1, 5, USUAL).good);
        assertEquals(0, seen.unanswered);
        local.see(seen, now);
        assertEquals(0, seen.good);
        assertEquals(1, seen.unanswered);
        assertFalse(seen.isBad());
    }

    @Test
    void whereNoReadEndsATrialGoesOnOnceInHalfASecond() {
        learnTheUsual();
        int granted = 0;
        for (int i = 0; i < 3 * ReadStageLooks.LOOKS; i++) {
            granted += interval(1, 0, 0).unanswered == 0 ? 1 : 0;
        }
        assertEquals(3, granted);
        assertEquals(0, interval(1, 1, USUAL).unanswered);
    }

    @Test
    void aTrialOfReadsWhoseMeanHidesASlowOneFails() {
        learnTheUsual();
        KnownReads.compare(local, new KnownReads(100 * MS, 10 * MS, 1));
        local.judgeFrom(now);
        assertFalse(interval(1, 2, MS).isBad());
        assertTrue(interval(1, 1, 160 * MS).isBad());
        KnownReads.compare(local, new KnownReads(100 * MS, 40 * MS, 1));
        assertEquals(80 * MS, local.patienceNanos(), "twice the mean of others");
    }

    @Test
    void theMeanIsThatOfTheLastSeconds() {
        assertEquals(-1, local.meanNanos());
        learnTheUsual();
        assertEquals(USUAL, local.meanNanos(), 10);
        for (int second = 0; second < 30; second++) {
            interval(1, 100, 40 * USUAL);
            local.learn(false);
        }
        assertEquals(40 * USUAL, local.meanNanos(), USUAL);
        for (int second = 0; second < 30; second++) {
            local.learn(true);
        }
        assertEquals(-1, local.meanNanos());
    }

    @Test
    void tasksThatStayAreStuckAfterHalfASecond() {
        learnTheUsual();
        for (int i = 1; i < ReadStageLooks.LOOKS; i++) {
            interval(8, 0, 0);
            assertEquals(0, seen.overdue);
            assertFalse(seen.silent);
        }
        interval(8, 0, 0);
        assertEquals(8, seen.overdue);
        assertTrue(seen.silent);
    }

    @Test
    void readsThatStillEndMakeAStuckReplicaTroubledButNotSilent() {
        learnTheUsual();
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            interval(8, 1, USUAL);
        }
        // Of the eight, 0.2 are busy with reads that end; twice as many are allowed to be.
        assertEquals(7, seen.overdue);
        assertFalse(seen.silent);
    }

    @Test
    void twoTasksThatLastAreALongScan() {
        learnTheUsual();
        for (int i = 0; i < 100; i++) {
            assertFalse(interval(2, 0, 0).isBad());
        }
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            interval(3, 0, 0);
        }
        assertEquals(3, seen.overdue);
    }

    @Test
    void oneInstantWithoutTasksShowsThatNoneIsStuck() {
        learnTheUsual();
        for (int i = 0; i < 100; i++) {
            assertFalse(interval(i % ReadStageLooks.LOOKS == 0 ? 0 : 30, 0, 0).isBad());
        }
    }

    /** Twenty threads busy all the time with range reads that end are explained by the time that these take. */
    @Property(tries = 100, seed = "61")
    void tasksThatEndAreNotStuckHoweverManyAreBusy(@ForAll @IntRange(min = 1, max = 200) int busy) {
        learnTheUsual();
        for (int i = 0; i < 3 * ReadStageLooks.LOOKS; i++) {
            assertFalse(interval(busy, 0, 0, busy * INTERVAL).isBad());
        }
    }

    /** A queue as long as what is being served is explained; beyond it, the excess is stuck. */
    @Test
    void twiceWhatTheEndedTasksKeepBusyIsExplained() {
        learnTheUsual();
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            interval(42, 0, 0, 20 * INTERVAL);
        }
        assertFalse(seen.isBad());
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            interval(43, 0, 0, 20 * INTERVAL);
        }
        assertEquals(3, seen.overdue);
    }

    /** The intervals are what the clock says: observations that come late count for as long as they lasted. */
    @Test
    void intervalsOfAnyLengthCountByTheirLength() {
        learnTheUsual();
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            now += i * INTERVAL;
            interval(20, 0, 0, 20 * (i + 1) * INTERVAL);
            assertFalse(seen.isBad());
        }
        now += 100 * INTERVAL;
        interval(20, 0, 0, 20 * INTERVAL);
        assertTrue(seen.isBad(), "what ended explains a tenth of that time");
    }

    @Test
    void whatWasSeenBeforeATrialDoesNotCountInIt() {
        learnTheUsual();
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            interval(30, 1, 1_000 * MS);
        }
        assertTrue(seen.isBad());
        local.judgeFrom(now);
        local.see(seen, now);
        assertFalse(seen.isBad());
        interval(0, 5, 2 * USUAL);
        assertFalse(seen.isBad());
        assertEquals(5, seen.good);
        interval(0, 50, 3 * USUAL + 2 * MS);
        assertTrue(seen.isBad(), "a trial is stricter");
    }

    @Test
    void theUsualFadesOverAMinuteInUseAndTwentyTimesSlowerWhileAvoided() {
        learnTheUsual();
        for (int i = 0; i < 10; i++) {
            interval(1, 100, 5 * USUAL);
            local.learn(false);
        }
        // Ten seconds of 100 reads, each of a twentieth, beside those of the usual minute.
        assertTrue(local.patienceNanos() < 4 * 1.1 * USUAL, local.patienceNanos() + " ns");
        for (int i = 0; i < 300; i++) {
            interval(1, 100, 5 * USUAL);
            local.learn(true);
        }
        assertEquals(4 * 5 * USUAL, local.patienceNanos(), USUAL);
    }

    @Test
    void aQuietTimeTeachesNothing() {
        learnTheUsual();
        long before = local.patienceNanos();
        for (int second = 0; second < 1_000; second++) {
            interval(0, 0, 0);
            local.learn(true);
        }
        assertEquals(before, local.patienceNanos());
    }

    @Test
    void countersThatBeginAnewAreNoReads() {
        learnTheUsual();
        reads = 0;
        nanosOfReads = 0;
        nanosOfOthers = 0;
        assertFalse(interval(1, 0, 0).isBad());
        assertEquals(0, seen.good);
        assertFalse(interval(1, 5, USUAL).isBad());
        assertEquals(5, seen.good);
    }

    /** Five reads were under way during a pause of 8 s: their time may have grown by it, and that of no other read. */
    @Test
    void whatAPauseMayHaveAddedToTheReadsUnderWayDoesNotCount() {
        learnTheUsual();
        long patience = local.patienceNanos();
        paused(5, 3, 8_000 * MS + USUAL);
        assertFalse(interval(2, 2, 8_000 * MS + USUAL).isBad());
        assertFalse(interval(2, 5, USUAL).isBad());
        assertTrue(interval(2, 1, 8_000 * MS).isBad(), "a sixth read as slow is slow by itself");
        local.learn(true);
        learnTheUsualAgain();
        assertEquals(patience, local.patienceNanos(), patience / 2.0);
        paused(5, 0, 0);
        for (int i = 1; i < ReadStageLooks.LOOKS; i++) {
            assertFalse(interval(2, 5, USUAL).isBad());
        }
        assertTrue(interval(2, 5, 8_000 * MS).isBad(), "half a second later nothing of the pause is left");
    }

    private void paused(int tasks, int ended, long nanosEach) {
        now += INTERVAL;
        reads += ended;
        nanosOfReads += ended * nanosEach;
        local.observe(tasks, reads, nanosOfReads, nanosOfOthers, 8_000 * MS, now);
        local.see(seen, now);
        assertFalse(seen.isBad());
    }

    private void learnTheUsualAgain() {
        for (int i = 0; i < 6_000; i++) {
            interval(1, 5, USUAL);
            if (i % 20 == 0) {
                local.learn(true);
            }
        }
    }

    @Test
    void theFirstObservationOnlyBegins() {
        reads = 1_000_000;
        nanosOfReads = 1_000_000 * 60_000 * MS;
        assertFalse(interval(5, 0, 0).isBad());
        assertEquals(0, seen.good);
        assertEquals(5, local.unanswered());
        assertEquals(-1, local.oldestNanos(now));
    }
}
