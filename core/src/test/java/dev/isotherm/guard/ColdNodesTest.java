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
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node with a cold cache: only reads warm it, and a read that goes to its disk takes 40 to 80 ms instead of 2. */
class ColdNodesTest {
    private static final int LOOKS_A_SECOND = 100;
    private static final double COLD = 0.9;
    private static final String SLOW = "b: most of its reads take much longer than at other nodes";

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private final Random random = new Random(1);
    private double missRatio = COLD;
    private double coldest = COLD;
    private long leastMissNanos = 40 * MS;
    private int served;

    /**
     * Seconds in which A answers one read before each look, and B as many a second as that, each of which brings it
     * nearer to warm.
     */
    private void warmUp(int seconds, double readsPerSecond, double readsToWarm) {
        for (int look = 0; look < seconds * LOOKS_A_SECOND; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, 2 * MS);
            if (random.nextDouble() < readsPerSecond / LOOKS_A_SECOND && cluster.isRead(B)) {
                boolean misses = random.nextDouble() < missRatio;
                cluster.read(B, misses ? (long) (leastMissNanos * (1 + random.nextDouble())) : 2 * MS);
                missRatio = coldest * Math.exp(- ++served / readsToWarm);
            }
            cluster.guard.look(cluster.now);
        }
    }

    private void becomesSlow() {
        missRatio = 1;
        warmUp(20, 40, Double.MAX_VALUE);
        assertEquals(List.of(SLOW), cluster.log);
    }

    /** From one second to the next, more and fewer than half of its reads go to the disk. */
    @ParameterizedTest
    @CsvSource({"8, 1200, 600", "40, 3000, 300", "4, 300, 400", "100, 5000, 200"})
    void oneThatRestartedIsNotAvoidedOnItsWayToWarm(double readsPerSecond, double readsToWarm, int seconds) {
        for (int seed = 1; seed <= 5; seed++) {
            random.setSeed(seed);
            missRatio = COLD;
            served = 0;
            cluster.looksOfAnswers(5 * LOOKS_A_SECOND, A, B);
            cluster.guard.restarted(B);
            warmUp(seconds, readsPerSecond, readsToWarm);
            assertEquals(List.of(), cluster.log, "seed " + seed);
            assertTrue(missRatio < 0.1, "it is warm: " + missRatio);
        }
    }

    /** For minutes none of its reads is quick, and none takes least_patience; once this node restarted, too. */
    @ParameterizedTest
    @CsvSource({"40, 12000, 900, true", "100, 30000, 900, true", "100, 30000, 900, false"})
    void oneOfWhichNoReadIsQuickIsNotAvoidedOnItsWayToWarm(
            double readsPerSecond, double readsToWarm, int seconds, boolean noticed) {
        for (int seed = 1; seed <= 5; seed++) {
            random.setSeed(seed);
            coldest = 1;
            missRatio = 1;
            leastMissNanos = 13 * MS;
            served = 0;
            cluster.looksOfAnswers(5 * LOOKS_A_SECOND, A, B);
            if (noticed) {
                cluster.guard.restarted(B);
            } else {
                cluster.guard.forgetAll();
            }
            warmUp(seconds, readsPerSecond, readsToWarm);
            assertEquals(List.of(), cluster.log, "seed " + seed);
            assertTrue(missRatio < 0.1, "it is warm: " + missRatio);
        }
    }

    @Test
    void onceWarmItIsJudgedAsOthersAre() {
        cluster.looksOfAnswers(5 * LOOKS_A_SECOND, A, B);
        cluster.guard.restarted(B);
        warmUp(300, 40, 3000);
        cluster.looksOfAnswers((ColdStart.WARM_SECONDS + 2) * LOOKS_A_SECOND, A, B);
        becomesSlow();
    }

    /** As one that joins, or is put in another's place, with another address. */
    @Test
    void oneThatComesLaterIsColdToo() {
        warmUp(1 + (int) (ColdNodes.ALL_READ_NANOS / SECOND), 0, 1);
        warmUp(300, 40, 3000);
        assertEquals(List.of(), cluster.log);
        cluster.looksOfAnswers((ColdStart.WARM_SECONDS + 2) * LOOKS_A_SECOND, A, B);
        becomesSlow();
    }

    /** It was down for days, and this coordinator has restarted meanwhile: it reads from it for the first time. */
    @Test
    void oneThatRestartedWithoutBeingWatchedIsColdToo() {
        cluster.guard.restarted(B);
        warmUp(300, 40, 3000);
        assertEquals(List.of(), cluster.log);
    }

    /** The features were off for a while. */
    @Test
    void oneThatIsForgottenIsNot() {
        cluster.looksOfAnswers(100 * LOOKS_A_SECOND, A, B);
        cluster.guard.forgetAll();
        becomesSlow();
    }

    /** As in a datacenter of two nodes. */
    @Test
    void oneInThePlaceOfTheOnlyOtherIsColdToo() {
        ColdNodes<String> cold = new ColdNodes<>();
        assertFalse(cold.mayBeCold("b", 0));
        cold.forget("b");
        assertTrue(cold.mayBeCold("c", 3_600 * SECOND));
        cold.forgetAll();
        assertFalse(cold.mayBeCold("d", 7_200 * SECOND));
    }
}
