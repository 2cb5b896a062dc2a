// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.function.IntPredicate;

/**
 * Orders the replicas of one read by rank: the order of equal ones stays, and no replica is added or dropped. A read
 * that needs avoided replicas to be complete still contacts them.
 */
public final class ReplicaRanks {
    /** Used as the heats or the operator's snitch order it. */
    public static final int USED = 0;
    /**
     * Avoided by the guard, and hardly late; at each multiple from here to {@link #MOST_AVOIDED} more of its reads are.
     * Between two of these are those beside which others began to be avoided later: they come after these.
     */
    public static final int AVOIDED = 1 << 10;
    /** Avoided by the guard, and nearly all of its reads are late. */
    public static final int MOST_AVOIDED = 4 * AVOIDED;
    /** Taken out of reads by an operator. */
    public static final int OUT = 5 * AVOIDED;
    /** Dead: behind every live replica. */
    public static final int DEAD = 6 * AVOIDED;

    private ReplicaRanks() {}

    /**
     * Raises the ranks of replicas of other datacenters, so that none of them passes one of this datacenter that is
     * avoided as some of its reads are late: most of these are quicker all the same than reads from afar. Among
     * themselves they are ordered by their own ranks.
     *
     * @param ranks the rank of the replica at each place
     * @param ties receives what decides between equal ranks; as long as ranks, zeros
     * @param isFar whether it is of another datacenter, by its place
     */
    public static void keepFarBehind(int[] ranks, int[] ties, IntPredicate isFar) {
        int most = USED;
        for (int place = 0; place < ranks.length; place++) {
            // A snitch is asked only where it matters.
            int higher = Math.max(ranks[place], most);
            if (higher == USED || ranks[place] >= MOST_AVOIDED) {
                continue;
            }
            if (isFar.test(place)) {
                ties[place] = most == USED ? 0 : 1 + ranks[place];
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
     * @param ties which of neighbours of equal ranks comes first: the lesser, unless it is 0
     * @param into receives the places; as long as ranks
     * @return whether any place changes
     */
    public static boolean order(int[] ranks, int[] ties, int[] into) {
        boolean moved = false;
        for (int place = 0; place < ranks.length; place++) {
            int at = place;
            while (at > 0 && isBefore(place, into[at - 1], ranks, ties)) {
                into[at] = into[at - 1];
                at--;
            }
            into[at] = place;
            moved |= at != place;
        }
        return moved;
    }

    private static boolean isBefore(int place, int other, int[] ranks, int[] ties) {
        return ranks[place] < ranks[other]
                || ranks[place] == ranks[other] && ties[place] != 0 && ties[place] < ties[other];
    }
}
