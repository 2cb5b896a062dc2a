// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static dev.isotherm.heat.Placement.AFFINITY;
import static dev.isotherm.heat.Placement.LOCAL;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What one node votes for while others decide what is in force: a thousand reads each second. */
class VotesOnMeasurementsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int WINDOW = (int) (PlacementVote.WINDOW_NANOS / SECOND);
    /** Two of three replicas; a message takes 0.4 ms, a miss 10: a miss in 150 reads takes as much as the messages. */
    private static final PlacementCosts COSTS = new PlacementCosts(2, 3, 10e6, 0.4e6, 0.02);

    private final PlacementVote vote = new PlacementVote(LOCAL, 0);
    private int second;

    private void look(Placement inForce, double missRatio) {
        vote.look(inForce, 1000 * missRatio, 1000, COSTS, ++second * SECOND);
    }

    private void windows(int windows, Placement inForce, IntToDoubleFunction missRatioOfSecond) {
        for (int i = 0; i < windows * WINDOW; i++) {
            look(inForce, missRatioOfSecond.applyAsDouble(i % WINDOW));
        }
    }

    private void wantAffinity() {
        windows(1, LOCAL, i -> 0.36);
        assertSame(AFFINITY, vote.vote());
    }

    /** Twice is what begins it. */
    @Test
    void aVoteForAffinityStandsWhereMissesTakeHalfAsMuchAgainAsTheMessages() {
        wantAffinity();
        for (int window = 0; window < 3; window++) {
            windows(1, LOCAL, i -> 0.010);
            assertSame(AFFINITY, vote.vote());
        }
        windows(1, LOCAL, i -> 0.006);
        assertSame(LOCAL, vote.vote(), "and ends where they take less");
        windows(1, LOCAL, i -> 0.010);
        assertSame(LOCAL, vote.vote());
    }

    @Test
    void aVoteForAffinityStandsWhileMissesBecomeFewer() {
        wantAffinity();
        for (int window = 0; window < 3; window++) {
            windows(1, LOCAL, i -> i < WINDOW / 2 ? 0.40 : 0.30);
            assertSame(AFFINITY, vote.vote());
        }
    }

    /** Ten seconds of a window are a moment. */
    @Test
    void aTrialIsComparedWithTheLastWindowThatWasJudged() {
        wantAffinity();
        for (int i = 0; i < 10; i++) {
            look(LOCAL, 0.9);
        }
        look(AFFINITY, 0.5);
        windows(1, AFFINITY, i -> 0.5);
        assertSame(LOCAL, vote.vote());
    }
}
