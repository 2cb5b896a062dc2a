// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A replica that is slow beside others, however it became so: its own past tells nothing. */
class SlowerThanMostTest {
    private static final int LOOKS_A_SECOND = 100;
    private static final List<String> AVOIDED = List.of("b: most of its reads take much longer than at other nodes");

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final ReadGuard<String> guard = cluster.guard;

    /** Before each look A answers a read after so long, and B one where it is used or tried; each twelfth is quick. */
    private void seconds(int seconds, long nanosOfA, long nanosOfB) {
        for (int look = 0; look < seconds * LOOKS_A_SECOND; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, nanosOfA);
            if (cluster.isRead(B)) {
                cluster.read(B, look % 12 == 0 ? Math.min(MS, nanosOfB) : nanosOfB);
            }
            guard.look(cluster.now);
        }
    }

    private String state() {
        return guard.statusOf(B, cluster.now).state();
    }

    /** Each second its reads take a fifth, a twentieth, or a hundredth longer. */
    @ParameterizedTest
    @CsvSource({"1.2, 30", "1.05, 100", "1.01, 400"})
    void oneThatBecomesSlowBitByBitIsAvoided(double growth, int seconds) {
        cluster.learnTheUsual();
        double takes = 5 * MS;
        for (int second = 0; second < seconds; second++) {
            takes = Math.min(800 * MS, takes * growth);
            seconds(1, 5 * MS, (long) takes);
        }
        assertEquals(AVOIDED, cluster.log);
        seconds(300, 5 * MS, (long) takes);
        assertEquals(AVOIDED, cluster.log, "and for as long as it is slow");
        seconds(6, 5 * MS, 5 * MS);
        assertEquals("used", state(), "once it is well");
        seconds(60, 5 * MS, 5 * MS);
        assertEquals(2, cluster.log.size(), cluster.log::toString);
    }

    /** One in twelve is quick: it needs no more than the two seconds. */
    @Test
    void oneWhoseReadsNearlyAllTakeLongerIsAvoidedAfterTwoSeconds() {
        cluster.learnTheUsual();
        for (double takes = 5; takes < 33; takes *= 1.2) {
            seconds(1, 5 * MS, (long) (takes * MS));
        }
        assertEquals(List.of(), cluster.log, "not by more than least_patience");
        seconds(1, 5 * MS, 37 * MS);
        assertEquals(List.of(), cluster.log);
        seconds(2, 5 * MS, 42 * MS);
        assertEquals(AVOIDED, cluster.log);
    }

    /** For a second, as behind a pause, nearly all take longer. */
    @Test
    void oneSecondIsNotEnough() {
        cluster.learnTheUsual();
        for (double takes = 5; takes < 33; takes *= 1.2) {
            seconds(1, 5 * MS, (long) (takes * MS));
        }
        for (int time = 0; time < 20; time++) {
            seconds(1, 5 * MS, 42 * MS);
            seconds(2, 5 * MS, 25 * MS);
        }
        assertEquals(List.of(), cluster.log);
    }

    @Test
    void oneThatGoesOnBeingSlowAfterAllWereIsAvoided() {
        cluster.learnTheUsual();
        for (double takes = 5; takes < 300; takes *= 1.5) {
            seconds(1, (long) (takes * MS), (long) (takes * MS));
        }
        seconds(60, 300 * MS, 300 * MS);
        assertEquals(List.of(), cluster.log, "while all are");
        seconds(20, 5 * MS, 300 * MS);
        assertEquals(AVOIDED, cluster.log);
    }

    /** As after a restart of the coordinator. */
    @Test
    void oneThatIsSlowFromTheFirstReadOnIsAvoided() {
        seconds(3, 5 * MS, 100 * MS);
        assertEquals(AVOIDED, cluster.log);
    }

    /** Its cache is cold, and only reads warm it. */
    @Test
    void oneThatHasRestartedIsNotUntilItWasAsQuickAsOthers() {
        cluster.learnTheUsual();
        guard.restarted(B);
        seconds(300, 5 * MS, 100 * MS);
        assertEquals(List.of(), cluster.log);
        seconds(20, 5 * MS, 5 * MS);
        for (double takes = 5; takes < 100; takes *= 1.2) {
            seconds(1, 5 * MS, (long) (takes * MS));
        }
        seconds(10, 5 * MS, 100 * MS);
        assertEquals(AVOIDED, cluster.log);
    }

    /** The way there takes as long. */
    @Test
    void oneOfAnotherDatacenterIsNot() {
        cluster.cannotServe.add(B);
        seconds(60, MS, 80 * MS);
        assertEquals(List.of(), cluster.log);
    }

    /** After a quick restart it was still taken to be dead. */
    @Test
    void oneThatWasDeadWhenItWasFirstReadFromIs() {
        cluster.cannotServe.add(B);
        cluster.send(B);
        cluster.cannotServe.clear();
        seconds(4, 5 * MS, 100 * MS);
        assertEquals(AVOIDED, cluster.log);
    }

    /** Less than least_patience, or than four times as long as elsewhere. */
    @ParameterizedTest
    @CsvSource({"1, 25", "10, 38", "40, 120"})
    void oneThatIsSomewhatSlowerIsNot(int millisOfA, int millisOfB) {
        seconds(120, millisOfA * MS, millisOfB * MS);
        assertEquals(List.of(), cluster.log);
    }

    /** About half of the reads go to the disk: of a few more or fewer no node is slow. */
    @ParameterizedTest
    @ValueSource(ints = {40, 47, 60, 74})
    void oneIsNotForSomewhatMoreMisses(int percentOfA) {
        for (int look = 0; look < 120 * LOOKS_A_SECOND; look++) {
            int at = look * 37 % 100;
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, at < percentOfA ? 60 * MS : MS);
            cluster.read(B, at < percentOfA + 15 ? 60 * MS : MS);
            guard.look(cluster.now);
        }
        assertEquals(List.of(), cluster.log);
    }

    /** This node's own reads, against those of both others. */
    @Test
    void thisNodeLeavesItsReadsToOthersWhereItsDiskBecomesSlowBitByBit() {
        cluster.learnTheUsual();
        cluster.learnTheUsualHere();
        cluster.looksOfAnswers(501, A, B);
        for (double takes = 1; takes < 400; takes *= 1.1) {
            cluster.serveSeconds(1, (long) (takes * MS), A, B);
        }
        assertEquals(List.of("self: most of its reads take much longer than at other nodes"), cluster.log);
    }

    @Test
    void slowSecondsOfItsOwnReadsCountInARow() {
        cluster.learnTheUsual();
        cluster.looksOfAnswers(501, A, B);
        for (double takes = 1; takes < 29; takes *= 1.05) {
            cluster.serveSeconds(1, (long) (takes * MS), A, B);
        }
        cluster.serveSeconds(3, 35 * MS, A, B);
        cluster.looksOfAnswers(500, A, B);
        cluster.serveSeconds(3, 35 * MS, A, B);
        assertEquals(List.of(), cluster.log);
        cluster.serveSeconds(4, 35 * MS, A, B);
        assertEquals(List.of("self: most of its reads take much longer than at other nodes"), cluster.log);
    }

    /** One read in a hundred takes five seconds. */
    @Test
    void aLongReadNowAndThenMakesNoNodeSlow() {
        cluster.learnTheUsual();
        for (int second = 0; second < 300; second++) {
            cluster.serveSeconds(1, second % 3 == 0 ? 25 * MS : MS, A, B);
            cluster.read(B, 5 * SECOND);
            cluster.looksOfAnswers(100, A, B);
        }
        assertTrue(cluster.log.isEmpty(), cluster.log::toString);
    }

    /** Three in four here, of what half take elsewhere: there too some take long, and here a fifth is quick. */
    @Test
    void oneOfWhichFourInFiveTakeMuchLongerThanMostElsewhereIsAvoidedAfterTwoSeconds() {
        for (int look = 0; look < 3 * LOOKS_A_SECOND; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, look % 10 < 3 ? 60 * MS : MS);
            cluster.read(B, look % 5 == 0 ? MS : 40 * MS);
            guard.look(cluster.now);
        }
        assertEquals(AVOIDED, cluster.log);
    }

    /** Elsewhere half take 10 ms and three in four 20: four times that are 40 and 80. */
    @Test
    void aTrialFailsWhereMoreThanThreeInFourAnswersTakeMuchLongerThanMostElsewhere() {
        KnownReads own = new KnownReads(-1, -1, -1);
        Elsewhere elsewhere = new Elsewhere();
        elsewhere.add(own, true);
        elsewhere.add(new KnownReads(-1, -1, -1, 20 * MS), true);
        SlowerThanMost slow = new SlowerThanMost(false);
        slow.compare(new LatestRoundTrips(), own, elsewhere, GuardSettings.defaults());
        slow.beginTrial();
        slow.answered(MS);
        for (int answer = 0; answer < 3; answer++) {
            slow.answered(50 * MS);
        }
        assertFalse(slow.isSlowBy(4));
        slow.answered(50 * MS);
        assertTrue(slow.isSlowBy(5));
    }
}
