// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The placement of one table on one node where the nodes choose it themselves: each votes by what it measures and tells
 * its vote with its heat, and each coordinator follows two thirds of them. One thread looks; any thread may ask what is
 * in force.
 */
public final class ChosenPlacement {
    /*
     * Coordinators hear of a vote within the time that heat takes, a second or some. Meanwhile they differ: those that
     * are ahead send each replica its share of their own reads, the others keep more of theirs to themselves. Of three
     * replicas with equal heats that coordinate equally many reads, one then gets at most 1/K - 1/3 of what it
     * coordinates more or less than its share: with two contacted, a sixth.
     */
    /** A process that has just started takes over what is in force, if it hears of it within this time. */
    private static final long LISTENS_NANOS = 30_000_000_000L;
    /*
     * Affinity that hardly any node votes for is left: the setting was changed on most nodes, or their reports are
     * lost, or their plugins know no votes. After this time, in which processes that restart together have voted again.
     */
    private static final long LEAVES_AFTER_NANOS = PlacementVote.WINDOW_NANOS;

    private final PlacementVote vote;
    private final long startedNanos;
    private boolean listens = true;
    private long keptNanos;
    private volatile Placement inForce;

    /** @param inForce what is in force until votes change it */
    public ChosenPlacement(Placement inForce, long nowNanos) {
        this.vote = new PlacementVote(inForce, nowNanos);
        this.startedNanos = nowNanos;
        this.keptNanos = nowNanos;
        this.inForce = inForce;
    }

    /** What is in force on this node. */
    public Placement inForce() {
        return inForce;
    }

    /** What this node votes for; null until it knows. For the thread that looks. */
    public Placement vote() {
        return vote.vote();
    }

    /**
     * Takes the votes and this node's reads since the last look.
     *
     * @param votes of all nodes that serve the table's clients, this one included
     * @param seen this node's reads; cleared
     * @param costs null while they are not known
     * @return whether the placement in force has changed
     */
    public boolean look(PlacementVotes votes, SeenMisses seen, PlacementCosts costs, long nowNanos) {
        Placement before = inForce;
        vote.look(before, seen.misses(), seen.reads(), costs, nowNanos);
        seen.clear();
        Placement heard = listens ? votes.ofMost() : null;
        listens &= heard == null && vote.vote() == null && nowNanos - startedNanos < LISTENS_NANOS;
        Placement now = heard != null ? heard : withoutFew(votes.inForce(before), votes, nowNanos);
        if (now != before) {
            inForce = now;
            vote.look(now, 0, 0, costs, nowNanos);
        }
        if (heard != null) {
            keptNanos = nowNanos;
            vote.follow();
        }
        return now != before;
    }

    private Placement withoutFew(Placement now, PlacementVotes votes, long nowNanos) {
        if (now == Placement.LOCAL || votes.keep(now)) {
            keptNanos = nowNanos;
        }
        return nowNanos - keptNanos < LEAVES_AFTER_NANOS ? now : Placement.LOCAL;
    }
}
