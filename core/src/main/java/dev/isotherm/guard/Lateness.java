// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/**
 * How late the reads of one replica are: over the last stretch of looks, and when any were seen last. For one thread.
 */
final class Lateness {
    /*
     * A single late read says nothing: three of them within the stretch, and at least one read in fifty, do. The share
     * keeps a busy replica in use, some of whose reads are always late by chance; the patience of twice the 99th
     * percentile makes those far fewer than one in fifty.
     */
    static final int LEAST_LATE = 3;
    static final double LEAST_LATE_SHARE = 0.02;
    /** A replica that is well beside another has at most a fourth as many late reads. */
    private static final int TIMES_WORSE = 4;
    /** Reads that wait for long are compared with the answers of five seconds, as long as most of them wait. */
    private static final double KEPT_A_LOOK = Math.exp(-1 / 500.0);
    /** A replica that is slow is as one most of whose reads are late, and quicker than any from afar all the same. */
    private static final double SLOW_SHARE = 0.75;
    /** The late shares from which on an avoided replica comes after others that are avoided. */
    private static final double[] RANKS = {0.05, 0.2, 0.8};

    private final RecentOutcomes recent;
    private double answers;
    private final UsualLateness usual = new UsualLateness();
    private int lateLately;
    private int readsLately;
    private int late;
    private int reads;
    private boolean marked;
    private double share;
    private double worstShare;
    /** The worst share, fading to what was seen last. */
    private double worstLately;

    /** @param looksBack how many looks a stretch has, 1 or above */
    Lateness(int looksBack) {
        this.recent = new RecentOutcomes(looksBack);
    }

    /** Takes in what was seen since the last look. */
    void see(Evidence seen) {
        recent.add(seen.good, seen.late);
        answers = KEPT_A_LOOK * answers + seen.good + seen.late;
        lateLately = recent.late() + seen.overdue;
        readsLately = recent.good() + lateLately;
        // Reads that wait for long are more than came in the stretch: they say how late, and with its answers not
        // whether.
        late = lateLately + seen.overdueLonger;
        reads = readsLately + seen.overdueLonger;
        int waiting = seen.overdue + seen.overdueLonger;
        marked = isBeyondChance(lateLately, readsLately)
                || seen.overdueLonger > 0 && isBeyondChance(waiting, (int) (waiting + answers));
        if (seen.silent || seen.slow || reads > 0) {
            double lateShare = reads > 0 ? (double) late / reads : 0;
            share = seen.silent ? 1 : seen.slow ? Math.max(SLOW_SHARE, lateShare) : lateShare;
            worstShare = Math.max(worstShare, share);
        }
        worstLately = Math.max(share, KEPT_A_LOOK * worstLately);
    }

    private boolean isBeyondChance(int lateReads, int ofReads) {
        return lateReads >= LEAST_LATE
                && lateReads >= LEAST_LATE_SHARE * ofReads
                && lateReads > usual.mostByChance(ofReads);
    }

    /** Takes what was seen last as what this replica, which is used, usually does. */
    void learn() {
        usual.learn(lateLately, readsLately);
    }

    /** Forgets the outcomes, and not how late they were. */
    void beginStretch() {
        recent.clear();
        answers = 0;
        lateLately = 0;
        readsLately = 0;
        late = 0;
        reads = 0;
        marked = false;
    }

    /** None of the replica's reads was late for a trial, and all took longer than elsewhere. */
    void countAllLate() {
        share = 1;
        worstShare = 1;
        worstLately = 1;
    }

    /** The replica begins to be avoided: from here on the worst counts. */
    void beginTrouble() {
        worstShare = share;
        worstLately = share;
    }

    /** Reads that are late or overdue, as of the last look. */
    int late() {
        return late;
    }

    /** Reads that were answered or are overdue, as of the last look. */
    int reads() {
        return reads;
    }

    /** Whether so many reads are late that it is no chance. */
    boolean isMarked() {
        return marked;
    }

    /** The rank among avoided replicas, by the late share of what was seen last. */
    int rank() {
        return rankOf(share);
    }

    /** The rank by the worst share since the replica began to be avoided, of the last seconds above all. */
    int rankByWorst() {
        return rankOf(worstLately);
    }

    private static int rankOf(double share) {
        int rank = ReplicaRanks.AVOIDED;
        for (double from : RANKS) {
            rank += share >= from ? ReplicaRanks.AVOIDED : 0;
        }
        return rank;
    }

    /** Whether this replica, which is used, has hardly late reads beside the other's. */
    boolean isFarLessThan(Lateness other) {
        return late < LEAST_LATE && late * TIMES_WORSE <= Math.max(other.late, 1);
    }

    /** Whether the late share of this replica, when it was seen last, is far below the other's. */
    boolean isFarRarerThan(Lateness other) {
        return share * TIMES_WORSE <= other.share;
    }

    /** Whether it is far below the worst of the other since that one began to be avoided. */
    boolean isFarRarerThanTheWorstOf(Lateness other) {
        return share * TIMES_WORSE <= other.worstShare;
    }
}
