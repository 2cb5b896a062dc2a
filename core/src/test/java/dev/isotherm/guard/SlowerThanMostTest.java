// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
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

    /** Before each look A answers a read after so long, and B one where it is used or tried. */
    private void seconds(int seconds, long nanosOfA, long nanosOfB) {
        for (int look = 0; look < seconds * LOOKS_A_SECOND; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, nanosOfA);
            if (cluster.isRead(B)) {
                cluster.read(B, nanosOfB);
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

    /** One in ten is quick: it needs no more than the two seconds. */
    @Test
    void oneWhoseReadsNearlyAllTakeLongerIsAvoidedAfterTwoSeconds() {
        cluster.learnTheUsual();
        for (double takes = 5; takes < 33; takes *= 1.2) {
            mostlySeconds(1, (long) (takes * MS));
        }
        assertEquals(List.of(), cluster.log, "not by more than least_patience");
        mostlySeconds(1, 37 * MS);
        assertEquals(List.of(), cluster.log);
        mostlySeconds(2, 42 * MS);
        assertEquals(AVOIDED, cluster.log);
    }

    /** For a second, as behind a pause, nearly all take longer. */
    @Test
    void oneSecondIsNotEnough() {
        cluster.learnTheUsual();
        for (double takes = 5; takes < 33; takes *= 1.2) {
            mostlySeconds(1, (long) (takes * MS));
        }
        for (int time = 0; time < 20; time++) {
            mostlySeconds(1, 42 * MS);
            mostlySeconds(2, 25 * MS);
        }
        assertEquals(List.of(), cluster.log);
    }

    /** As {@link #seconds}, but each twelfth read of B is quick. */
    private void mostlySeconds(int seconds, long nanosOfB) {
        for (int look = 0; look < seconds * LOOKS_A_SECOND; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, 5 * MS);
            if (cluster.isRead(B)) {
                cluster.read(B, look % 12 == 0 ? MS : nanosOfB);
            }
            guard.look(cluster.now);
        }
    }

    /** A third of least_patience is enough, if it is four times what half of the reads take elsewhere. */
    @ParameterizedTest
    @CsvSource({"1, 9, 13", "4, 15, 22"})
    void oneOfWhichNoReadIsQuickIsAvoidedAfterTwoSeconds(int millisOfA, int millisBefore, int millis) {
        seconds(20, millisOfA * MS, millisBefore * MS);
        assertEquals(List.of(), cluster.log);
        seconds(1, millisOfA * MS, millis * MS);
        assertEquals(List.of(), cluster.log);
        seconds(2, millisOfA * MS, millis * MS);
        assertEquals(AVOIDED, cluster.log);
        seconds(300, millisOfA * MS, millis * MS);
        assertEquals(AVOIDED, cluster.log, "and for as long as none is");
        seconds(6, millisOfA * MS, millisOfA * MS);
        assertEquals("used", state(), "once it is well");
    }

    /** The answers wait here, as where this node is short of processors: its own reads do not. */
    @Test
    void noneIsWhereAllOthersAnswersTakeAsLong() {
        cluster.learnTheUsualHere();
        for (int second = 0; second < 60; second++) {
            long nanos = second < 20 ? 2 * MS : 25 * MS;
            for (int look = 0; look < LOOKS_A_SECOND; look++) {
                cluster.now += ReadGuard.LOOK_NANOS;
                cluster.serveLocally(3, MS);
                cluster.read(A, nanos);
                cluster.read(B, nanos);
                guard.look(cluster.now);
            }
        }
        assertEquals(List.of(), cluster.log);
    }

    /** Of nine in ten of them the disk makes each slow: heat tells of these. */
    @ParameterizedTest
    @ValueSource(ints = {10, 20, 90})
    void oneOfWhichSomeReadsAreQuickIsNot(int ofHundred) {
        for (int look = 0; look < 300 * LOOKS_A_SECOND; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, MS);
            cluster.read(B, look * 37 % 100 < ofHundred ? MS : 25 * MS);
            guard.look(cluster.now);
        }
        assertEquals(List.of(), cluster.log);
    }

    /** Few reads a second tell it, too, over three seconds; fewer do not. */
    @ParameterizedTest
    @CsvSource({"10, true", "5, false"})
    void oneWithFewReadsOfWhichNoneIsQuick(int readsPerSecond, boolean avoided) {
        for (int look = 0; look < 60 * LOOKS_A_SECOND; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, MS);
            if (look % (LOOKS_A_SECOND / readsPerSecond) == 0 && cluster.isRead(B)) {
                cluster.read(B, look < 20 * LOOKS_A_SECOND ? MS : 20 * MS);
            }
            guard.look(cluster.now);
        }
        assertEquals(avoided ? AVOIDED : List.of(), cluster.log);
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

    /** Less than a third of least_patience, or than four times as long as elsewhere. */
    @ParameterizedTest
    @CsvSource({"1, 9", "10, 38", "40, 120"})
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
}
