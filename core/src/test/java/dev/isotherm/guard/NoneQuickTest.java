// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A replica of which no read is quick any more, though none takes as long as least_patience. */
class NoneQuickTest {
    private static final int LOOKS_A_SECOND = 100;
    private static final List<String> AVOIDED = List.of("b: none of its reads is as quick as at other nodes");

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final ReadGuard<String> guard = cluster.guard;
    private int reads;

    /** Before each look A answers a read after so long, and B its next one where it is used or tried. */
    private void looks(int looks, long nanosOfA, IntToLongFunction nanosOfB) {
        for (int look = 0; look < looks; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, nanosOfA);
            if (cluster.isRead(B)) {
                cluster.read(B, nanosOfB.applyAsLong(reads++));
            }
            guard.look(cluster.now);
        }
    }

    private void seconds(int seconds, long nanosOfA, IntToLongFunction nanosOfB) {
        looks(seconds * LOOKS_A_SECOND, nanosOfA, nanosOfB);
    }

    private void seconds(int seconds, long nanosOfA, long nanosOfB) {
        seconds(seconds, nanosOfA, read -> nanosOfB);
    }

    /** A third of least_patience is enough, if it is four times what half of the reads take elsewhere. */
    @ParameterizedTest
    @CsvSource({"1, 9, 13", "4, 9, 22"})
    void itIsAvoidedAfterTwoSecondsAndUsedOnceItIsWell(int millisOfA, int millisBefore, int millis) {
        seconds(20, millisOfA * MS, millisBefore * MS);
        assertEquals(List.of(), cluster.log);
        seconds(1, millisOfA * MS, millis * MS);
        assertEquals(List.of(), cluster.log);
        seconds(2, millisOfA * MS, millis * MS);
        assertEquals(AVOIDED, cluster.log);
        seconds(300, millisOfA * MS, millis * MS);
        assertEquals(AVOIDED, cluster.log, "and for as long as none is");
        seconds(6, millisOfA * MS, millisOfA * MS);
        assertEquals("used", guard.statusOf(B, cluster.now).state(), "once it is well");
        seconds(60, millisOfA * MS, millisOfA * MS);
        assertEquals(2, cluster.log.size(), cluster.log::toString);
    }

    /** Five answers tell that a trial is in vain, in each four seconds; one was sent before it began. */
    @Test
    void itIsTriedByFiveReadsEachFourSeconds() {
        seconds(20, MS, MS);
        seconds(20, MS, 20 * MS);
        assertEquals(AVOIDED, cluster.log);
        int before = cluster.sent(B);
        seconds(400, MS, 20 * MS);
        int tried = cluster.sent(B) - before;
        assertTrue(tried > 500 && tried <= 600, tried + " reads in 400 s");
    }

    /** Those of a trial may be quick by chance: fewer of them fail it than make a replica slow. */
    @Test
    void oneQuickReadNowAndThenDoesNotBringItBack() {
        seconds(20, MS, MS);
        seconds(300, MS, read -> read % 25 == 0 ? MS : 20 * MS);
        assertEquals(AVOIDED, cluster.log);
    }

    /** Nine in ten of them go to a disk that makes each slow: heat tells of these. */
    @ParameterizedTest
    @ValueSource(ints = {10, 20, 90})
    void oneOfWhichSomeReadsAreQuickIsNotAvoided(int ofHundred) {
        seconds(20, MS, MS);
        seconds(300, MS, read -> read * 37 % 100 < ofHundred ? MS : 25 * MS);
        assertEquals(List.of(), cluster.log);
    }

    /** Of fewer than twenty in a second chance makes none quick. */
    @ParameterizedTest
    @CsvSource({"25, true", "10, false"})
    void fewReadsASecondDoNotTell(int readsPerSecond, boolean avoided) {
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

    /** As one behind a longer way, or with a slower disk, and where others were slow for a while. */
    @Test
    void oneThatWasNeverQuickIsNotAvoided() {
        seconds(60, MS, 13 * MS);
        seconds(60, 12 * MS, 13 * MS);
        seconds(60, MS, 13 * MS);
        assertEquals(List.of(), cluster.log);
    }

    @Test
    void whatCountsAsQuickFollowsTheSetting() {
        seconds(20, MS / 4, 3 * MS / 2);
        GuardSettings defaults = GuardSettings.defaults();
        guard.use(new GuardSettings(
                3 * MS, defaults.mostPatienceNanos(), defaults.firstRetryNanos(), defaults.mostRetryNanos()));
        seconds(60, MS / 4, 3 * MS / 2);
        assertEquals(List.of(), cluster.log, "it was never quicker than a third of that");
        seconds(20, MS / 4, MS / 2);
        seconds(4, MS / 4, 3 * MS / 2);
        assertEquals(AVOIDED, cluster.log);
    }

    /** The answers wait here, as where this node is short of processors: its own reads do not. */
    @Test
    void whereAllOthersAnswersTakeAsLongNobodyIsAvoided() {
        cluster.learnTheUsualHere();
        for (int look = 0; look < 60 * LOOKS_A_SECOND; look++) {
            long nanos = look < 20 * LOOKS_A_SECOND ? 2 * MS : 25 * MS;
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.serveLocally(3, MS);
            cluster.read(A, nanos);
            cluster.read(B, nanos);
            guard.look(cluster.now);
        }
        assertEquals(List.of(), cluster.log);
    }

    /** Which takes seconds to show: the times to the next trial go on growing all the same. */
    @Test
    void oneThatIsWellInItsTrialsAloneIsTriedMoreSeldom() {
        seconds(20, MS, MS);
        for (int time = 0; time < 12; time++) {
            int began = cluster.log.size();
            for (int tenth = 0; tenth < 200 && cluster.log.size() == began; tenth++) {
                looks(LOOKS_A_SECOND / 10, MS, read -> 20 * MS);
            }
            for (int tenth = 0; tenth < 200 && cluster.log.size() == began + 1; tenth++) {
                looks(LOOKS_A_SECOND / 10, MS, read -> MS);
            }
        }
        assertEquals(24, cluster.log.size(), cluster.log::toString);
        String last = cluster.log.get(23);
        assertTrue(Integer.parseInt(last.replaceAll("\\D+", "")) >= 4000, cluster.log::toString);
    }
}
