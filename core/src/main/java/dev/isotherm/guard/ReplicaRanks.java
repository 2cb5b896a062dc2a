// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.function.IntPredicate;

/**
 * Orders the replicas of one read by rank: the order within a rank stays, and no replica is added or dropped. A read
 * that needs avoided replicas to be complete still contacts them.
 */
public final class ReplicaRanks {
    /** Used as the heats or the operator's snitch order it. */
    public static final int USED = 0;
    /** Avoided by the guard, and hardly late; from here to {@link #MOST_AVOIDED} the later, the higher. */
    public static final int AVOIDED = 1;
    /** Avoided by the guard, and nearly all of its reads are late. */
    public static final int MOST_AVOIDED = 4;
    /** Taken out of reads by an operator. */
    public static final int OUT = 5;
    /** Dead: behind every live replica. */
    public static final int DEAD = 6;

    private static final int RANKS = 7;

    private ReplicaRanks() {}

    /**
     * Raises the ranks of replicas of other datacenters, so that none of them passes one of this datacenter that is
     * avoided as some of its reads are late: most of these are quicker all the same than reads from afar.
     *
     * @param ranks the rank of the replica at each place
     * @param isFar whether it is of another datacenter, by its place
     */
    public static void keepFarBehind(int[] ranks, IntPredicate isFar) {
        int most = USED;
        for (int place = 0; place < ranks.length; place++) {
            // A snitch is asked only where it matters.
            int higher = Math.max(ranks[place], most);
            if (higher == USED || ranks[place] >= MOST_AVOIDED) {
                continue;
            }
            if (isFar.test(place)) {
                ranks[place] = higher;
            } else {
                most = higher;
            }
        }
    }

    /**
     * Writes the places of the replicas in ascending rank.
     *
     * @param ranks the rank of the replica at each place, {@link #USED} to {@link #DEAD}
     * @param into receives the places; as long as ranks
     * @return whether any place changes
     */
    public static boolean order(int[] ranks, int[] into) {
        int at = 0;
        boolean moved = false;
        for (int rank = USED; rank < RANKS; rank++) {
            for (int place = 0; place < ranks.length; place++) {
                if (ranks[place] == rank) {
                    moved |= place != at;
                    into[at++] = place;
                }
            }
        }
        return moved;
    }
}
