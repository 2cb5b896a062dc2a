// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * Which placement of a table is in force where nodes vote: two thirds of the nodes change it, so that coordinators that
 * hear a vote sooner or later than others, or not at all, do not go to and fro.
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

    /** The nodes, with and without a vote. */
    public int nodes() {
        return nodes;
    }

    /** Whether no node votes. */
    public boolean areNone() {
        return local + affinity == 0;
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

    /** What a coordinator takes for being in force that has just started: what most vote for. */
    public Placement ofMost(Placement otherwise) {
        return local == affinity ? otherwise : local > affinity ? Placement.LOCAL : Placement.AFFINITY;
    }
}
