// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteReadsTest extends RemoteReadsLooks {
    @Test
    void thePatienceIsTwiceTheTailAndDuringATrialLess() {
        assertEquals(SECOND, replica.patienceNanos());
        learn(1_000, 25 * MS);
        double tail = RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(25 * MS));
        assertEquals(2 * tail, replica.patienceNanos(), 1);
        replica.judgeFrom(now);
        assertEquals(1.4 * tail, replica.patienceNanos(), 1);
        replica.trust();
        assertEquals(2 * tail, replica.patienceNanos(), 1);
    }

    @Test
    void onlyATrialIsAsPatientAsWithTheFastestOtherReplica() {
        learn(1_000, 25 * MS);
        double tail = RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(25 * MS));
        for (long others : new long[] {2, 10, 400}) {
            KnownReads.compare(replica, new KnownReads(-1, others * MS, 10));
            assertEquals(2 * tail, replica.patienceNanos(), 1);
            replica.judgeFrom(now);
            assertEquals(Math.min(SECOND, 1.4 * Math.max(tail, 10 * others * MS)), replica.patienceNanos(), 1);
            replica.trust();
        }
    }

    @Test
    void forAMinuteWhatReadsTakeElsewhereIsUsualForAReplicaThatIsExcused() {
        learn(1_000, 25 * MS);
        double tail = RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(25 * MS));
        KnownReads.compare(replica, new KnownReads(-1, 10 * MS, 10));
        replica.excuse();
        assertEquals(200 * MS, replica.patienceNanos());
        KnownReads.compare(replica, new KnownReads(-1, MS, 10));
        for (int second = 1; second < 60; second++) {
            replica.learn(true);
            assertEquals(200 * MS, replica.patienceNanos());
        }
        replica.learn(true);
        assertEquals(2 * tail, replica.patienceNanos(), 1);
    }

    @Test
    void ofAReplicaOfWhichLittleIsKnownTheOthersTellNothing() {
        KnownReads.compare(replica, new KnownReads(-1, 5 * MS, 10));
        assertEquals(SECOND, replica.patienceNanos());
        assertEquals(-1, replica.meanNanos());
        assertEquals(-1, replica.spread());
    }

    /** Its answers are late by what was usual for it; whether they are slow the mean of those elsewhere tells. */
    @ParameterizedTest
    @ValueSource(longs = {20, 49, 50, 52, 100})
    void aTrialComparesMeans(long roundTripMillis) {
        learn(1_000, 5 * MS);
        KnownReads.compare(replica, new KnownReads(-1, 40 * MS, 10));
        replica.judgeFrom(now);
        for (int answer = 0; answer < 16; answer++) {
            now += SECOND;
            read(roundTripMillis * MS);
        }
        look();
        assertEquals(16, seen.good);
        assertEquals(roundTripMillis <= 50, seen.asElsewhere);
        assertEquals(roundTripMillis > 30, seen.beyondOwn);
        replica.judgeFrom(now);
        now += SECOND;
        read(5 * MS);
        look();
        assertTrue(seen.asElsewhere, "the next trial is judged by its own answers");
        assertFalse(seen.beyondOwn);
    }

    /** A relapse is judged by sixteen answers or more, and three seconds later there is none. */
    @Test
    void onceUsedAgainItIsComparedByWhatFollows() {
        learn(1_000, 5 * MS);
        KnownReads.compare(replica, new KnownReads(-1, 40 * MS, 10));
        replica.judgeFrom(now);
        replica.trust();
        for (int answer = 0; answer < 16; answer++) {
            assertFalse(look().asElsewhere);
            now += 100 * MS;
            read(45 * MS);
        }
        assertTrue(look().asElsewhere);
        for (int second = 0; second < 4; second++) {
            replica.learn(true);
        }
        assertFalse(look().asElsewhere);
    }

    @Test
    void aReadHangsAfterTwiceWhatOneTakesElsewhere() {
        learn(1_000, 5 * MS);
        KnownReads.compare(replica, new KnownReads(-1, 40 * MS, 10));
        replica.sent(++id, now);
        now += 799 * MS;
        assertFalse(look().hangs);
        now += 2 * MS;
        assertTrue(look().hangs);
        replica.answered(id, now);
        assertFalse(look().hangs);
    }

    @Test
    void theMeanAndTheSpreadAreOfTheLastSeconds() {
        learn(1_000, 5 * MS);
        assertEquals(5 * MS, replica.meanNanos(), 0.7 * MS);
        assertEquals(1, replica.spread(), 0.2);
        for (int second = 0; second < 60; second++) {
            replica.learn(false);
        }
        assertEquals(-1, replica.meanNanos());
        assertEquals(-1, replica.spread());
        for (int answer = 0; answer < 100; answer++) {
            read(answer % 20 == 0 ? 400 * MS : MS);
        }
        replica.learn(false);
        assertEquals(21 * MS, replica.meanNanos(), 3 * MS);
        assertEquals(400 / 21.0, replica.spread(), 5);
    }

    @Test
    void anAnswerIsGoodOrLateOnce() {
        learn(1_000, 5 * MS);
        now += SECOND;
        read(29 * MS);
        read(31 * MS);
        read(5 * MS);
        look();
        assertEquals(2, seen.good);
        assertEquals(1, seen.late);
        look();
        assertFalse(seen.hasAnswers());
        assertFalse(seen.isBad());
    }

    @Test
    void aTrialJudgesOnlyItsOwnReads() {
        learn(1_000, 5 * MS);
        replica.sent(++id, now);
        long before = id;
        replica.sent(++id, now);
        now += SECOND;
        replica.judgeFrom(now);
        now += MS;
        replica.answered(before, now);
        look();
        assertEquals(1, seen.stray);
        assertFalse(seen.isBad() || seen.silent);
        assertEquals(0, seen.unanswered);
        assertTrue(seen.hasAnswers());
        replica.sent(++id, now);
        now += 50 * MS;
        look();
        assertEquals(1, seen.overdue);
        assertEquals(1, seen.unanswered);
    }

    /** Whoever begins a trial has looked some microseconds before. */
    @Test
    void anAnswerBetweenTheLookAndTheBeginOfATrialIsNoneOfIts() {
        learn(1_000, 5 * MS);
        replica.sent(++id, now);
        long lateId = id;
        now += 2 * SECOND;
        look();
        replica.answered(lateId, now);
        read(5 * MS);
        replica.sentLasting(++id, now);
        replica.answered(id, now);
        replica.judgeFrom(now);
        now += 10 * MS;
        look();
        assertEquals(0, seen.late);
        assertEquals(0, seen.good);
        assertEquals(0, seen.lasted);
        assertEquals(3, seen.stray);
    }

    @Test
    void aTimeoutThatIsRaisedMeanwhileIsWaitedFor() {
        learn(1_000, 25 * MS);
        giveUp = 30 * SECOND;
        replica.sent(++id, now);
        now += 8 * SECOND;
        look();
        replica.answered(id, now);
        assertEquals(1, look().late);
    }

    /** 20,000 messages a second, a third of them reads to this replica: a place is wanted again after 26 ms. */
    @ParameterizedTest
    @ValueSource(longs = {160 * MS, Long.MAX_VALUE})
    void aBusyCoordinatorSeesReadsThatTakeLongToo(long roundTripNanos) {
        learn(1_000, 5 * MS);
        long slowFrom = now;
        long firstId = id;
        int late = 0;
        int mostOverdue = 0;
        boolean silent = false;
        for (int message = 1; message <= 20_000; message++) {
            now += MS / 20;
            id++;
            if (message % 3 == 0) {
                replica.sent(id, now);
            }
            long answered = message - roundTripNanos / (MS / 20);
            if (answered > 0 && answered % 3 == 0) {
                replica.answered(firstId + answered, slowFrom + message * (MS / 20));
            }
            if (message % 200 == 0) {
                late += look().late;
                mostOverdue = Math.max(mostOverdue, seen.overdue);
                silent |= seen.silent;
            }
        }
        assertTrue(mostOverdue > 300, mostOverdue + " overdue");
        assertTrue(roundTripNanos == Long.MAX_VALUE || late > 300, late + " late");
        assertTrue(silent);
    }

    @Test
    void readsAreForgottenInTheEnd() {
        now += MS;
        replica.sent(++id, now);
        now += 5 * SECOND - MS;
        assertEquals(1, look().overdueLonger);
        assertEquals(0, seen.overdue, "for half a second at most");
        now += 2 * MS;
        assertEquals(1, look().overdueLonger, "seen a last time");
        assertTrue(seen.isBad());
        assertEquals(0, look().overdueLonger);
        assertEquals(0, replica.unanswered());
        assertEquals(-1, replica.oldestNanos(now));
    }

    @Test
    void anAvoidedReplicaTeachesTwentyTimesSlower() {
        learn(10_000, 5 * MS);
        now += SECOND;
        for (int second = 0; second < 10; second++) {
            for (int i = 0; i < 100; i++) {
                read(500 * MS);
            }
            replica.learn(false);
        }
        assertEquals(30 * MS, replica.patienceNanos(), "1,000 answers that count for fifty beside 10,000");
        replica.learn(true);
        for (int i = 0; i < 150; i++) {
            read(500 * MS);
        }
        replica.learn(true);
        assertEquals(SECOND, replica.patienceNanos());
    }

    /** One answer to a copy each four seconds, for a day: what takes 4 times as long as elsewhere is never usual. */
    @ParameterizedTest
    @ValueSource(longs = {70, 500})
    void aFaultThatLastsIsNotLearntOfAnAvoidedReplica(long roundTripMillis) {
        learn(1_000, 5 * MS);
        KnownReads.compare(replica, new KnownReads(-1, MS, 10));
        long before = replica.patienceNanos();
        for (int copy = 0; copy < 24 * 900; copy++) {
            now += 4 * SECOND;
            read(roundTripMillis * MS);
            for (int second = 0; second < 4; second++) {
                replica.learn(false);
            }
        }
        assertEquals(before, replica.patienceNanos());
    }

    /** Of a disk of half the speed the costs tell: that its reads take longer becomes usual. */
    @Test
    void aReplicaThatIsSomewhatSlowerForGoodIsLearnt() {
        learn(1_000, 25 * MS);
        KnownReads.compare(replica, new KnownReads(-1, 2 * MS, 10));
        int seconds = 0;
        while (replica.patienceNanos() < 100 * MS) {
            read(70 * MS);
            replica.learn(false);
            seconds++;
            assertTrue(seconds < 3_600, "an hour");
        }
        assertTrue(seconds > 60, seconds + " s");
    }
}
