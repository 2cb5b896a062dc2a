// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.DecayedRatio;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * How many reads this node's disk serves side by side, by what a wait for it takes while others are under way. Any
 * thread may add a wait, without a lock and, but for the first of its kind, without an allocation; one thread settles.
 */
public final class DiskPlaces {
    /*
     * A disk that serves one read at a time makes each of two wait for the other; one that serves several does not. So
     * it serves n, if waits that begin while n reads are under way take hardly longer than those of a read alone, and
     * so do those of fewer. Of the reads under way some have a processor; beside many of these a disk would seem to
     * serve as many. So what counts is the upper quartile, in which it shows where half of the others are in the
     * disk's way, and nothing is known unless reads spend half of their time waiting for the disk.
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

    /** The part of the time of reads that they wait for the disk, from which on the number is known. */
    private static final double LEAST_WAITED = 0.5;
    /** Time constant of that part. */
    private static final long WAITED_NANOS = 10_000_000_000L;
    /** Weighs the beginning, in which no read waits, as a microsecond of reads. */
    private static final double PRIOR_NANOS = 1e3;

    private static final int WINDOW = 128;

    /** By the number of reads under way, less one. */
    private final RecentTimes[] waits = new RecentTimes[MOST];

    private final DoubleAdder nanosOfReads = new DoubleAdder();
    private final DoubleAdder nanosOfWaits = new DoubleAdder();
    private final DecayedRatio waited;
    private volatile int servedAtOnce = NOT_KNOWN;

    public DiskPlaces(long nowNanos) {
        waited = new DecayedRatio(WAITED_NANOS, 0, PRIOR_NANOS, nowNanos);
        for (int i = 0; i < MOST; i++) {
            waits[i] = new RecentTimes(WINDOW);
        }
    }

    /**
     * Adds a sampled read that has ended.
     *
     * @param underWay how many reads were under way when it began, itself included; 1 or above
     * @param waitsForDisk how often it waited for the disk, 0 or above
     * @param nanos how long it took
     * @param waitedNanos how long it waited, if it did
     * @param partSampled the part of such reads that are sampled, above 0
     */
    public void add(int underWay, long waitsForDisk, long nanos, long waitedNanos, double partSampled) {
        if (underWay < 1) {
            throw Allowed.refusal("underWay", underWay, "1 or above");
        }
        nanosOfReads.add(nanos / partSampled);
        if (waitsForDisk > 0) {
            nanosOfWaits.add(waitedNanos / partSampled);
        }
        if (waitsForDisk == 1 && underWay <= MOST) {
            waits[underWay - 1].add(waitedNanos);
        }
    }

    /** Brings the number up to date, some times a second. */
    public void settle(long nowNanos) {
        waited.add(nanosOfWaits.sumThenReset(), nanosOfReads.sumThenReset(), nowNanos);
        int served = 1;
        boolean isKnown = waited.value() >= LEAST_WAITED && isKnown(0) && isKnown(1);
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

    /** How many reads the disk serves side by side, 1 to {@value #MOST}, or more; or {@link #NOT_KNOWN}. */
    public int servedAtOnce() {
        return servedAtOnce;
    }
}
