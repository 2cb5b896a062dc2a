// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** The rank of an avoided replica beside others that are avoided, too. One thread sees; any thread asks. */
/*
 * Who is avoided later may be late only because it has the reads of the first. Reads that go on to it show how late it
 * is. Those of the first show nothing any more but a few answers to copies, which may find their rows in memory: it
 * counts by what made the coordinator avoid it, for seconds.
 */
final class RankAmongAvoided {
    private volatile int byLast = ReplicaRanks.AVOIDED;
    private volatile int byWorst = ReplicaRanks.AVOIDED;

    /** Takes in how late the replica's reads are. */
    void see(Lateness lateness) {
        byLast = lateness.rank();
        byWorst = lateness.rankByWorst();
    }

    /**
     * The rank, {@link ReplicaRanks#AVOIDED} to {@link ReplicaRanks#MOST_AVOIDED}.
     *
     * @param later how many of the others began to be avoided later, 0 or above
     */
    int beside(int later) {
        int rank = later == 0 ? byLast : byWorst;
        // Where nearly all reads are late at both, one of them alone would have to bear what is left.
        return rank < ReplicaRanks.MOST_AVOIDED ? rank + Math.min(later, ReplicaRanks.AVOIDED - 1) : rank;
    }
}
