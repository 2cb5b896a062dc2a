// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static dev.isotherm.heat.Placement.AFFINITY;
import static dev.isotherm.heat.Placement.LOCAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PlacementVotesTest {
    private static PlacementVotes votes(int local, int affinity, int none) {
        PlacementVotes votes = new PlacementVotes();
        for (int i = 0; i < local + affinity + none; i++) {
            votes.add(i < local ? LOCAL : i < local + affinity ? AFFINITY : null, false);
        }
        return votes;
    }

    @Test
    void twoThirdsOfTheNodesAgree() {
        assertTrue(votes(1, 2, 0).agreeOn(AFFINITY));
        assertFalse(votes(0, 2, 2).agreeOn(AFFINITY), "who does not vote does not agree");
        assertFalse(votes(1, 2, 0).agreeOn(LOCAL));
        assertTrue(votes(2, 1, 0).agreeOn(LOCAL));
        assertFalse(votes(34, 66, 0).agreeOn(AFFINITY));
        assertFalse(votes(34, 66, 0).agreeOn(LOCAL));
        assertTrue(votes(33, 67, 0).agreeOn(AFFINITY));
        assertTrue(votes(0, 1, 0).agreeOn(AFFINITY), "alone");
    }

    @Test
    void withoutVotesNobodyAgrees() {
        for (Placement placement : Placement.values()) {
            assertFalse(votes(0, 0, 3).agreeOn(placement));
            assertFalse(votes(0, 0, 0).agreeOn(placement));
        }
        assertEquals(4, votes(1, 0, 3).nodes());
    }

    /** A rack of 34 of 100 nodes is down. */
    @Test
    void thoseThatAreDownAreNotAmongTheLiving() {
        PlacementVotes votes = votes(2, 60, 4);
        votes.add(AFFINITY, true);
        votes.add(LOCAL, true);
        votes.fillUpDownTo(34);
        votes.fillUpTo(100);
        assertEquals(100, votes.nodes());
        assertFalse(votes.agreeOn(AFFINITY), "61 of 100");
        assertTrue(votes.livingAgreeOn(AFFINITY), "60 of 66");
        assertFalse(votes.livingAgreeOn(LOCAL));
        votes.fillUpTo(124);
        assertTrue(votes.livingAgreeOn(AFFINITY), "60 of 90");
        votes.fillUpTo(125);
        assertFalse(votes.livingAgreeOn(AFFINITY), "60 of 91: of the others nothing is heard");
    }

    @Test
    void votesOfTheDownCountForAllAndNotForTheLiving() {
        PlacementVotes votes = votes(1, 1, 0);
        votes.add(AFFINITY, true);
        votes.fillUpDownTo(1);
        assertEquals(3, votes.nodes());
        assertTrue(votes.agreeOn(AFFINITY));
        assertFalse(votes.livingAgreeOn(AFFINITY));
        PlacementVotes ofLocal = votes(2, 1, 0);
        ofLocal.add(LOCAL, true);
        assertTrue(ofLocal.livingAgreeOn(LOCAL));
        PlacementVotes none = new PlacementVotes();
        none.add(LOCAL, true);
        assertFalse(none.livingAgreeOn(LOCAL));
    }

    @Test
    void nodesOfWhichNothingIsHeardDoNotAgree() {
        PlacementVotes alone = votes(0, 1, 0);
        alone.fillUpTo(3);
        assertEquals(3, alone.nodes());
        assertFalse(alone.agreeOn(AFFINITY));
        PlacementVotes most = votes(0, 4, 1);
        most.fillUpTo(3);
        assertTrue(most.agreeOn(AFFINITY));
        most.fillUpTo(7);
        assertFalse(most.agreeOn(AFFINITY));
    }
}
