// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static dev.isotherm.heat.Placement.AFFINITY;
import static dev.isotherm.heat.Placement.LOCAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChosenPlacementTest {
    private static final long SECOND = 1_000_000_000L;
    private static final PlacementCosts COSTS = new PlacementCosts(2, 3, 10e6, 0.4e6, 0.02);

    private static SeenMisses seen(double misses, double reads) {
        SeenMisses seen = new SeenMisses(BalanceSettings.defaults());
        seen.addLookUps(misses, reads);
        return seen;
    }

    private static PlacementVotes votes(Placement... each) {
        PlacementVotes votes = new PlacementVotes();
        Arrays.stream(each).forEach(vote -> votes.add(vote, false));
        return votes;
    }

    @ParameterizedTest
    @CsvSource({"1, 3, 1", "2000, 3, 1", "255, 500, 6", "2000, 500, 10"})
    void votesAreCountedLessOftenWhereThereAreMany(int tables, int nodes, int seconds) {
        assertEquals(seconds * SECOND, ChosenPlacement.lookEveryNanos(tables, nodes));
    }

    @Test
    void twoThirdsAreFollowedAndTheNodeVotesByItsMisses() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        for (int second = 1; second <= 121; second++) {
            assertFalse(chosen.look(votes(null, null, null), seen(36, 100), COSTS, false, second * SECOND));
        }
        assertSame(AFFINITY, chosen.vote());
        assertFalse(chosen.look(votes(AFFINITY, null, null), seen(36, 100), COSTS, false, 122 * SECOND), "not alone");
        assertTrue(chosen.look(votes(AFFINITY, AFFINITY, null), seen(36, 100), COSTS, false, 123 * SECOND));
        assertSame(AFFINITY, chosen.inForce());
        assertFalse(chosen.look(votes(AFFINITY, AFFINITY, null), seen(36, 100), COSTS, false, 124 * SECOND));
    }

    /** As long as a node is down or avoided, a trial says nothing of affinity; then it does. */
    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "false, false"})
    void anOutageIsNotHeldAgainstAffinityOnTrial(boolean isDown, boolean isAvoided) {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        PlacementVotes all = votes(AFFINITY, AFFINITY, AFFINITY);
        for (int second = 1; second <= 121; second++) {
            chosen.look(votes(null, null, null), seen(36, 100), COSTS, false, second * SECOND);
        }
        assertTrue(chosen.look(all, seen(36, 100), COSTS, false, 122 * SECOND));
        PlacementVotes outage = isDown ? votes(AFFINITY, AFFINITY) : all;
        outage.fillUpDownTo(isDown ? 1 : 0);
        for (int second = 123; second <= 400; second++) {
            chosen.look(outage, seen(36, 100), COSTS, isAvoided, second * SECOND);
        }
        assertSame(isDown || isAvoided ? AFFINITY : LOCAL, chosen.vote());
        for (int second = 401; second <= 521; second++) {
            chosen.look(all, seen(36, 100), COSTS, false, second * SECOND);
        }
        assertSame(LOCAL, chosen.vote());
    }

    @Test
    void aProcessThatStartsTakesOverWhatTwoThirdsVoteFor() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        assertFalse(chosen.look(votes(null, null, null), seen(0, 0), null, false, SECOND));
        assertFalse(chosen.look(votes(null, AFFINITY, null), seen(9, 10), null, false, 2 * SECOND));
        assertNull(chosen.vote());
        assertTrue(chosen.look(votes(null, AFFINITY, AFFINITY), seen(9, 10), null, false, 3 * SECOND));
        assertSame(AFFINITY, chosen.vote(), "for what is in force");
    }

    /** Of six, half: they do not say what is in force. */
    @Test
    void aProcessThatStartsTakesNothingElseOver() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        for (int second = 1; second <= 100; second++) {
            assertFalse(chosen.look(
                    votes(null, AFFINITY, AFFINITY, AFFINITY, LOCAL, null), seen(9, 10), null, false, second * SECOND));
        }
        assertNull(chosen.vote());
    }

    private static ChosenPlacement affinityInForce() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        assertTrue(chosen.look(votes(null, AFFINITY, AFFINITY), seen(9, 10), null, false, SECOND));
        return chosen;
    }

    /** As where the others' setting was changed, their reports are lost, or their plugins know no votes. */
    @Test
    void affinityThatTwoThirdsDoNotVoteForIsLeftAfterTwoWindowsAndAHalfMinute() {
        ChosenPlacement chosen = affinityInForce();
        int second = 1;
        while (chosen.inForce() == AFFINITY && second < 600) {
            second++;
            chosen.look(votes(AFFINITY, null, null), seen(0, 10), null, false, second * SECOND);
        }
        assertEquals(271, second);
        assertSame(LOCAL, chosen.vote(), "for what is in force");
        assertFalse(chosen.look(votes(AFFINITY, null, null), seen(0, 10), null, false, 272 * SECOND));
        assertTrue(chosen.look(votes(AFFINITY, AFFINITY, null), seen(0, 10), null, false, 273 * SECOND));
    }

    @Test
    void affinityIsKeptWhileTheOthersRestart() {
        ChosenPlacement chosen = affinityInForce();
        for (int second = 2; second < 2000; second++) {
            boolean restarting = second % 400 < 250;
            PlacementVotes votes = restarting ? votes(AFFINITY, null, null) : votes(AFFINITY, AFFINITY, LOCAL);
            assertFalse(chosen.look(votes, seen(0, 10), null, false, second * SECOND));
        }
        assertSame(AFFINITY, chosen.inForce());
    }

    @Test
    void localIsInForceAtOnceWhereTwoThirdsVoteForIt() {
        ChosenPlacement chosen = affinityInForce();
        assertFalse(chosen.look(votes(AFFINITY, AFFINITY, LOCAL), seen(0, 10), null, false, 2 * SECOND));
        assertTrue(chosen.look(votes(AFFINITY, LOCAL, LOCAL), seen(0, 10), null, false, 3 * SECOND));
        assertSame(LOCAL, chosen.vote());
    }

    private static PlacementVotes livingOfFive(Placement... living) {
        PlacementVotes votes = votes(living);
        votes.fillUpDownTo(5 - living.length);
        return votes;
    }

    @Test
    void affinityIsKeptByTwoThirdsOfTheLiving() {
        ChosenPlacement chosen = affinityInForce();
        for (int second = 2; second < 3000; second++) {
            assertFalse(
                    chosen.look(livingOfFive(AFFINITY, AFFINITY, LOCAL), seen(0, 10), null, false, second * SECOND));
        }
        assertTrue(chosen.look(livingOfFive(AFFINITY, LOCAL, LOCAL), seen(0, 10), null, false, 3269 * SECOND));
    }

    /** What comes and goes in between begins that time anew. */
    @Test
    void twoThirdsOfTheLivingBringAffinityIntoForceAfterAQuarterOfAnHour() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        for (int second = 1; second < 900; second++) {
            assertFalse(chosen.look(livingOfFive(AFFINITY, AFFINITY, null), seen(0, 0), null, false, second * SECOND));
        }
        assertFalse(chosen.look(livingOfFive(AFFINITY, AFFINITY, null, null), seen(0, 0), null, false, 900 * SECOND));
        for (int second = 901; second < 1800; second++) {
            assertFalse(chosen.look(livingOfFive(AFFINITY, AFFINITY, null), seen(0, 0), null, false, second * SECOND));
        }
        assertTrue(chosen.look(livingOfFive(AFFINITY, AFFINITY, null), seen(0, 0), null, false, 1800 * SECOND));
        assertSame(AFFINITY, chosen.inForce());
    }

    /** Those for whom it is in force, and those for whom it is not. */
    @Test
    void equalVotesLeadToTheSamePlacement() {
        for (int votes = 0; votes < 27 * 27; votes++) {
            Placement[] each = new Placement[6];
            for (int i = 0, left = votes; i < 6; i++, left /= 3) {
                each[i] = Placement.ofCode(left % 3);
            }
            ChosenPlacement fromLocal = new ChosenPlacement(LOCAL, 0);
            ChosenPlacement fromAffinity = new ChosenPlacement(AFFINITY, 0);
            for (int second = 1; second <= 271; second += 30) {
                fromLocal.look(votes(each), seen(0, 0), null, false, second * SECOND);
                fromAffinity.look(votes(each), seen(0, 0), null, false, second * SECOND);
            }
            assertSame(fromLocal.inForce(), fromAffinity.inForce(), Arrays.toString(each));
        }
    }

    @Test
    void whatWasSeenIsCleared() {
        SeenMisses seen = seen(1, 2);
        new ChosenPlacement(AFFINITY, 0).look(votes(), seen, COSTS, false, SECOND);
        assertEquals(0, seen.reads());
    }

    /**
     * While coordinators differ: of three that coordinate equally many reads, at equal heats, none gets more or less
     * than its share by more than 1/K - 1/N of what one coordinates.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whileCoordinatorsDifferSharesAreOffByLittle(int k) {
        double[] even = {1 / 3.0, 1 / 3.0, 1 / 3.0};
        double[][] local = ForwardingMatrix.of(even, even, k);
        for (int differing = 0; differing < 8; differing++) {
            for (int replica = 0; replica < 3; replica++) {
                double got = 0;
                for (int i = 0; i < 3; i++) {
                    got += even[i] * ((differing >> i & 1) == 1 ? even[replica] : local[i][replica]);
                }
                assertEquals(1 / 3.0, got, (1.0 / k - 1 / 3.0) / 3 + 1e-9, "coordinators " + differing);
            }
        }
    }
}
