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
        Arrays.stream(each).forEach(votes::add);
        return votes;
    }

    @Test
    void twoThirdsAreFollowedAndTheNodeVotesByItsMisses() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        for (int second = 1; second <= 121; second++) {
            assertFalse(chosen.look(votes(null, null, null), seen(36, 100), COSTS, second * SECOND));
        }
        assertSame(AFFINITY, chosen.vote());
        assertFalse(chosen.look(votes(AFFINITY, null, null), seen(36, 100), COSTS, 122 * SECOND), "not alone");
        assertTrue(chosen.look(votes(AFFINITY, AFFINITY, null), seen(36, 100), COSTS, 123 * SECOND));
        assertSame(AFFINITY, chosen.inForce());
        assertFalse(chosen.look(votes(AFFINITY, AFFINITY, null), seen(36, 100), COSTS, 124 * SECOND));
    }

    @Test
    void aProcessThatStartsTakesOverWhatTheOthersVoteFor() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        assertFalse(chosen.look(votes(), seen(0, 0), null, SECOND));
        assertTrue(chosen.look(votes(null, AFFINITY), seen(9, 10), null, 2 * SECOND));
        assertSame(AFFINITY, chosen.vote());
        // From then on as all do.
        assertFalse(chosen.look(votes(AFFINITY, LOCAL), seen(9, 10), null, 3 * SECOND));
        assertSame(AFFINITY, chosen.inForce());
    }

    /** One that votes for what the others do not have in force must not bring it into force on those that start. */
    @Test
    void aProcessThatStartsDoesNotTakeOverWhatAThirdVotesFor() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        assertFalse(chosen.look(votes(null, AFFINITY, null), seen(9, 10), null, SECOND));
        assertNull(chosen.vote());
        assertTrue(chosen.look(votes(null, AFFINITY, AFFINITY), seen(9, 10), null, 2 * SECOND));
        assertSame(AFFINITY, chosen.inForce());
    }

    private static ChosenPlacement affinityInForce() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        assertTrue(chosen.look(votes(null, AFFINITY, AFFINITY), seen(9, 10), null, SECOND));
        return chosen;
    }

    /** As where the others' setting was changed, their reports are lost, or their plugins know no votes. */
    @Test
    void affinityThatOnlyAThirdVotesForIsLeftAfterTwoMinutes() {
        ChosenPlacement chosen = affinityInForce();
        int second = 1;
        while (chosen.inForce() == AFFINITY && second < 600) {
            second++;
            chosen.look(votes(AFFINITY, null, null), seen(0, 10), null, second * SECOND);
        }
        assertEquals(121, second);
        assertFalse(chosen.look(votes(AFFINITY, null, null), seen(0, 10), null, 122 * SECOND));
        assertSame(LOCAL, chosen.inForce());
        assertTrue(chosen.look(votes(AFFINITY, AFFINITY, null), seen(0, 10), null, 123 * SECOND));
    }

    @Test
    void affinityIsKeptWhileTheOthersRestart() {
        ChosenPlacement chosen = affinityInForce();
        for (int second = 2; second < 1000; second++) {
            boolean restarting = second % 200 < 100;
            PlacementVotes votes = restarting ? votes(AFFINITY, null, null) : votes(AFFINITY, AFFINITY, LOCAL);
            assertFalse(chosen.look(votes, seen(0, 10), null, second * SECOND));
        }
        assertSame(AFFINITY, chosen.inForce());
    }

    @Test
    void oneVoteIsNotTakenOverByNodesThatStartedWithIt() {
        ChosenPlacement chosen = new ChosenPlacement(LOCAL, 0);
        for (int second = 1; second <= 40; second++) {
            chosen.look(votes(null, null), seen(9, 10), COSTS, second * SECOND);
        }
        assertFalse(chosen.look(votes(null, AFFINITY), seen(9, 10), COSTS, 41 * SECOND));
        assertSame(LOCAL, chosen.inForce());
        assertNull(chosen.vote());
    }

    @Test
    void whatWasSeenIsCleared() {
        SeenMisses seen = seen(1, 2);
        new ChosenPlacement(AFFINITY, 0).look(votes(), seen, COSTS, SECOND);
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
