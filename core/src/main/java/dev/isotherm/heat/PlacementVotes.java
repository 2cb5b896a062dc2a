// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * Which placement of a table is in force where nodes vote: two thirds of the nodes change it, so that coordinators that
 * hear a vote sooner or later than others, or not at all, do not go to and fro. Nodes that do not vote, or of which
 * nothing is heard, are for no change.
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

    /** Counts nodes without a vote until there are that many: replicas of which nothing is heard. */
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

    /** What is in force after these votes, where the placement was. */
    public Placement inForce(Placement before) {
        Placement other = before == Placement.LOCAL ? Placement.AFFINITY : Placement.LOCAL;
        return votesFor(other) > 0 && 3 * votesFor(other) >= 2 * nodes ? other : before;
    }

    /** Whether more than a third of the nodes vote for it, without whom two thirds might be for the other. */
    public boolean keep(Placement placement) {
        return 3 * votesFor(placement) > nodes;
    }

    /**
     * What a coordinator takes for being in force that has just started: what most vote for, if those are enough to
     * keep it; null for none.
     */
    public Placement ofMost() {
        Placement most = local > affinity ? Placement.LOCAL : Placement.AFFINITY;
        return local != affinity && keep(most) ? most : null;
    }
}
