// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The votes of the nodes for the placement of a table. Two thirds of the nodes agree, so that one that measures
 * something else decides nothing. Nodes that do not vote, or of which nothing is heard, agree with nobody. Those that
 * are down are voters, too, but not among the living.
 */
public final class PlacementVotes {
    private int nodes;
    private int local;
    private int affinity;
    private int down;
    private int localOfDown;
    private int affinityOfDown;

    /**
     * Counts a node that has told its heat, and its vote.
     *
     * @param vote null is none
     * @param isDown whether the node is down: what it has told last is known for some time
     */
    public void add(Placement vote, boolean isDown) {
        nodes++;
        if (isDown) {
            down++;
            localOfDown += vote == Placement.LOCAL ? 1 : 0;
            affinityOfDown += vote == Placement.AFFINITY ? 1 : 0;
        }
        local += vote == Placement.LOCAL ? 1 : 0;
        affinity += vote == Placement.AFFINITY ? 1 : 0;
    }

    /** Counts nodes without a vote until there are that many: those of which nothing is heard. */
    public void fillUpTo(int least) {
        nodes = Math.max(nodes, least);
    }

    /** Counts nodes without a vote that are down until so many are. */
    public void fillUpDownTo(int least) {
        int more = Math.max(0, least - down);
        down += more;
        nodes += more;
    }

    /** The nodes, with and without a vote, down or not. */
    public int nodes() {
        return nodes;
    }

    /** Whether any of the nodes is down. */
    public boolean isAnyDown() {
        return down > 0;
    }

    /** The nodes that voted for it. */
    public int votesFor(Placement placement) {
        return placement == Placement.LOCAL ? local : affinity;
    }

    /** Whether two thirds of the nodes, with and without a vote, vote for it. */
    public boolean agreeOn(Placement placement) {
        return areTwoThirds(votesFor(placement), nodes);
    }

    /** Whether two thirds of the nodes that are not down vote for it. */
    public boolean livingAgreeOn(Placement placement) {
        int ofDown = placement == Placement.LOCAL ? localOfDown : affinityOfDown;
        return areTwoThirds(votesFor(placement) - ofDown, nodes - down);
    }

    private static boolean areTwoThirds(int votes, int nodes) {
        return votes > 0 && 3 * votes >= 2 * nodes;
    }
}
