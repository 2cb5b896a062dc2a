// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;

/**
 * How many reads this node's disk serves side by side, by what a wait for it takes while others are under way. Any
 * thread may add a wait, without a lock and, but for the first of its kind, without an allocation; one thread settles.
 */
public final class DiskPlaces {
    /*
     * A disk that serves one read at a time makes each of two wait for the other; one that serves several does not. So
     * it serves n, if waits that begin while n reads are under way take hardly longer than those of a read alone, and
     * so do those of fewer. Most of the reads under way wait for the disk, as a wait takes longer than what a read has
     * a processor do; those that do not would make the disk seem to serve more. So what counts is the upper quartile:
     * where half of the reads beside which others begin are in the disk's way, it shows.
     *
     * Reads that wait several times say little, as others begin and end meanwhile. Where the service itself takes now
     * more and now less, quartiles tremble, and the disk may seem to serve fewer than it does, hardly more.
     *
     * A number of reads that is seldom under way keeps its last waits. A disk that has become slower shows in those of
     * a read alone, and where there are more at a time in those of more.
     */
    /** The number while there have been too few waits to tell. */
    public static final int NOT_KNOWN = 0;
    /** The most reads at a time that are told from each other. */
    static final int MOST = 16;
    /** The part by which a wait may take longer than that of a read alone. */
    static final double MOST_LONGER = 0.15;
    /** Least waits of a kind that tell what a wait takes. */
    static final int FEW = 32;

    private static final int WINDOW = 128;

    /** By the number of reads under way, less one. */
    private final RecentTimes[] waits = new RecentTimes[MOST];

    private volatile int servedAtOnce = NOT_KNOWN;

    public DiskPlaces() {
        for (int i = 0; i < MOST; i++) {
            waits[i] = new RecentTimes(WINDOW);
        }
    }

    /**
     * Adds a read that waited for the disk once.
     *
     * @param underWay how many reads were under way when it began, itself included; 1 or above
     * @param nanos how long it waited
     */
    public void add(int underWay, long nanos) {
        if (underWay < 1) {
            throw Allowed.refusal("underWay", underWay, "1 or above");
        }
        if (underWay <= MOST) {
            waits[underWay - 1].add(nanos);
        }
    }

    /** Brings the number up to date, some times a second. */
    public void settle() {
        int served = 1;
        boolean isKnown = isKnown(0) && isKnown(1);
        if (isKnown) {
            double most = (1 + MOST_LONGER) * waits[0].upperQuartile();
            while (served < MOST && isKnown(served) && waits[served].upperQuartile() <= most) {
                served++;
            }
        }
        servedAtOnce = isKnown ? served : NOT_KNOWN;
    }

    private boolean isKnown(int othersUnderWay) {
        return waits[othersUnderWay].count() >= FEW;
    }

    /** How many reads the disk serves side by side, 1 to {@value #MOST}, or more; {@link #NOT_KNOWN} at first. */
    public int servedAtOnce() {
        return servedAtOnce;
    }
}
