// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static dev.isotherm.heat.Placement.AFFINITY;
import static dev.isotherm.heat.Placement.LOCAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PlacementVotesTest {
    private static PlacementVotes votes(int local, int affinity, int none) {
        PlacementVotes votes = new PlacementVotes();
        for (int i = 0; i < local + affinity + none; i++) {
            votes.add(i < local ? LOCAL : i < local + affinity ? AFFINITY : null);
        }
        return votes;
    }

    @Test
    void twoThirdsOfTheNodesChangeWhatIsInForce() {
        assertSame(AFFINITY, votes(1, 2, 0).inForce(LOCAL));
        assertSame(LOCAL, votes(0, 2, 2).inForce(LOCAL), "who does not vote is not for a change");
        assertSame(AFFINITY, votes(1, 0, 2).inForce(AFFINITY));
        assertSame(LOCAL, votes(2, 1, 0).inForce(AFFINITY));
        assertSame(LOCAL, votes(34, 66, 0).inForce(LOCAL));
        assertSame(AFFINITY, votes(66, 34, 0).inForce(AFFINITY));
        assertSame(AFFINITY, votes(33, 67, 0).inForce(LOCAL));
    }

    @Test
    void withoutVotesNothingChanges() {
        assertSame(AFFINITY, votes(0, 0, 3).inForce(AFFINITY));
        assertSame(LOCAL, votes(0, 0, 0).inForce(LOCAL));
        assertEquals(4, votes(1, 0, 3).nodes());
    }

    /** Votes lead to one of the placements from either, unless less than two thirds agree. */
    @Test
    void enoughVotesLeadTheSameWayFromBoth() {
        for (int local = 0; local <= 20; local++) {
            for (int affinity = 0; affinity <= 20; affinity++) {
                PlacementVotes votes = votes(local, affinity, 0);
                boolean agree = 3 * Math.max(local, affinity) >= 2 * (local + affinity) && local + affinity > 0;
                assertEquals(agree, votes.inForce(LOCAL) == votes.inForce(AFFINITY), local + " " + affinity);
            }
        }
    }

    @Test
    void replicasOfWhichNothingIsHeardAreForNoChange() {
        PlacementVotes alone = votes(0, 1, 0);
        alone.fillUpTo(3);
        assertEquals(3, alone.nodes());
        assertSame(LOCAL, alone.inForce(LOCAL));
        PlacementVotes most = votes(0, 4, 1);
        most.fillUpTo(3);
        assertSame(AFFINITY, most.inForce(LOCAL));
    }

    @Test
    void moreThanAThirdKeepWhatIsInForce() {
        assertTrue(votes(1, 2, 0).keep(AFFINITY));
        assertFalse(votes(0, 1, 2).keep(AFFINITY));
        assertTrue(votes(0, 1, 1).keep(AFFINITY));
        assertFalse(votes(0, 0, 0).keep(AFFINITY));
    }

    @Test
    void aCoordinatorThatHasJustStartedFollowsTheMost() {
        assertSame(AFFINITY, votes(2, 3, 0).ofMost());
        assertSame(LOCAL, votes(3, 2, 1).ofMost());
        assertNull(votes(2, 2, 1).ofMost());
        assertNull(votes(0, 1, 2).ofMost());
        assertNull(votes(1, 0, 2).ofMost());
        assertNull(votes(0, 0, 0).ofMost());
    }
}
