// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The placement of one table on one node where the nodes choose it themselves: each votes by what it measures and tells
 * its vote with its heat. One thread looks; any thread may ask what is in force.
 *
 * <p>Two thirds of the nodes bring either placement into force. Affinity for which no two thirds vote any more, neither
 * of all nor of the living, is left after {@link #LEAVES_AFTER_NANOS}. So nodes that hear the same votes for that long
 * have the same placement, whatever they had before and whenever they were started: a process that starts needs no
 * other rule. It begins with local. While nodes are down for which two thirds of all are too many, it takes affinity
 * over from the living after {@link #LIVING_AGREE_NANOS}.
 */
public final class ChosenPlacement {
    /*
     * Coordinators hear of a vote within the time that heat takes, a second or some. Meanwhile they differ: those that
     * are ahead send each replica its share of their own reads, the others keep more of theirs to themselves. Of three
     * replicas with equal heats that coordinate equally many reads, one then gets at most 1/K - 1/3 of what it
     * coordinates more or less than its share: with two contacted, a sixth.
     */
    /**
     * Affinity lacks votes for so long before it is left: the setting was changed on more than a third of the nodes, or
     * their reports are lost, or their plugins know no votes, or they see no gain. Nodes that restart together have
     * judged a window by then, and half a minute for a start without reads; an operator who changes the setting node by
     * node has as long for all of them.
     */
    static final long LEAVES_AFTER_NANOS = 2 * PlacementVote.WINDOW_NANOS + 30_000_000_000L;

    /**
     * Two thirds of the living alone bring affinity into force when they have agreed for so long: each node that comes
     * and goes, or a network that is cut now and then, changes who these are, and would change the placement with it.
     * Of two such changes of a table in one direction so much lies between, so that there are at most eight in an hour.
     */
    static final long LIVING_AGREE_NANOS = 900_000_000_000L;

    private static final long LOOK_NANOS = 1_000_000_000L;
    /** Votes counted a second, of all tables: some milliseconds of a processor. */
    private static final long VOTES_PER_SECOND = 20_000;

    private final PlacementVote vote;
    /** The last look at which two thirds voted for affinity, or when this began. */
    private long agreedNanos;
    /** The last look at which two thirds of the living did not vote for affinity, or when this began. */
    private long livingDisagreedNanos;

    private volatile Placement inForce;

    /** @param inForce what is in force until votes change it; this node votes for affinity that is */
    public ChosenPlacement(Placement inForce, long nowNanos) {
        this.vote = new PlacementVote(inForce, nowNanos);
        this.agreedNanos = nowNanos;
        this.livingDisagreedNanos = nowNanos;
        this.inForce = inForce;
    }

    /**
     * How long after the last look the next one is due: a second, and longer where so many tables and nodes vote that
     * counting them each second would take its time; at most ten seconds, after which reads would count for less.
     */
    public static long lookEveryNanos(int tables, int nodes) {
        long seconds = (long) tables * nodes / VOTES_PER_SECOND;
        return Math.min(PlacementVote.LATE_NANOS, Math.max(1, seconds) * LOOK_NANOS);
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
     * @param isAnyAvoided whether this node leaves one of them out of its reads, as it is slow or silent
     * @return whether the placement in force has changed
     */
    public boolean look(
            PlacementVotes votes, SeenMisses seen, PlacementCosts costs, boolean isAnyAvoided, long nowNanos) {
        Placement before = inForce;
        if (isAnyAvoided || votes.isAnyDown()) {
            vote.disturb(nowNanos);
        }
        vote.look(before, seen.misses(), seen.reads(), costs, nowNanos);
        seen.clear();
        Placement now = after(votes, nowNanos);
        if (now != before) {
            inForce = now;
            vote.look(now, 0, 0, costs, nowNanos);
        }
        return now != before;
    }

    private Placement after(PlacementVotes votes, long nowNanos) {
        boolean livingAgree = votes.livingAgreeOn(Placement.AFFINITY);
        if (!livingAgree) {
            livingDisagreedNanos = nowNanos;
        }
        boolean isKept =
                livingAgree && (inForce == Placement.AFFINITY || nowNanos - livingDisagreedNanos >= LIVING_AGREE_NANOS);
        if (isKept || votes.agreeOn(Placement.AFFINITY)) {
            agreedNanos = nowNanos;
            return Placement.AFFINITY;
        }
        boolean isLeft = votes.agreeOn(Placement.LOCAL) || nowNanos - agreedNanos >= LEAVES_AFTER_NANOS;
        return isLeft ? Placement.LOCAL : inForce;
    }
}
