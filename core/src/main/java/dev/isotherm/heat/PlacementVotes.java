// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The votes of the nodes for the placement of a table. Two thirds of the nodes agree, so that one that measures
 * something else decides nothing. Nodes that do not vote, or of which nothing is heard, agree with nobody.
 */
public final class PlacementVotes {
    private int nodes;
    private int local;
    private int affinity;

    /** Counts a node that tells its heat, and its vote; null is none. */
    public void add(Placement vote) {
        nodes++;
        local += vote == Placement.LOCAL ? 1 : 0;
        affinity += vote == Placement.AFFINITY ? 1 : 0;
    }

    /** Counts nodes without a vote until there are that many: those of which nothing is heard. */
    public void fillUpTo(int least) {
        nodes = Math.max(nodes, least);
    }

    /** The nodes, with and without a vote. */
    public int nodes() {
        return nodes;
    }

    /** The nodes that voted for it. */
    public int votesFor(Placement placement) {
        return placement == Placement.LOCAL ? local : affinity;
    }

    /** Whether two thirds of the nodes, with and without a vote, vote for it. */
    public boolean agreeOn(Placement placement) {
        return votesFor(placement) > 0 && 3 * votesFor(placement) >= 2 * nodes;
    }
}
