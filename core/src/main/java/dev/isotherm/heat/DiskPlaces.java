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
     * so do those of fewer. What counts is the upper quartile: of the others under way some have a processor, or are
     * scans of what is in memory. Beside many of these a disk would seem to serve as many. So nothing is known, and no
     * wait beside others is kept, unless the disk has so many reads in service that two in five of those beside which
     * another begins are in its way, if the disk serves one at a time.
     *
     * These are means over time. Of those that a read finds under way when it comes it is the same. What a read waits
     * for longer than one alone, it is not in service: where the disk is busy its queue would hide the threads that do
     * not wait for it.
     *
     * Reads that wait several times say little, as others begin and end meanwhile. Where the service itself takes now
     * more and now less, quartiles tremble, and the disk may seem to serve fewer than it does, hardly more. The least
     * of some seconds counts. It stands for a minute while nothing is known: what threads do varies around the bound.
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
    /** For how long the disk has to have served so many. */
    static final long SHOWS_NANOS = 2_000_000_000L;
    /** For how long that stands while nothing is known. */
    static final long STANDS_NANOS = 60_000_000_000L;

    /** The reads that the disk has in service at least, for each thread of reads that does anything else. */
    private static final double LEAST_IN_SERVICE = 2 / 3.0;
    /** Time constant of what threads do. */
    private static final long MEAN_NANOS = 10_000_000_000L;
    /** Weighs the beginning, in which no thread does anything, as a microsecond. */
    private static final double PRIOR_NANOS = 1e3;

    private static final int WINDOW = 128;

    /** By the number of reads under way, less one. */
    private final RecentTimes[] waits = new RecentTimes[MOST];

    /** The sums since they were settled last. */
    private final DoubleAdder readsAdded = new DoubleAdder();

    private final DoubleAdder othersAdded = new DoubleAdder();
    private final DoubleAdder waitsAdded = new DoubleAdder();
    private final DoubleAdder servicesAdded = new DoubleAdder();

    /** How many others a read finds under way, on average. */
    private final DecayedRatio others;
    /** How many reads wait for the disk, on average. */
    private final DecayedRatio waiting;
    /** How many of these the disk serves, on average. */
    private final DecayedRatio inService;

    private final RecentLeast lately;
    private long settledNanos;
    /** When the number was last known. */
    private long knownNanos;
    /** Whether waits beside others are kept. */
    private volatile boolean tells;
    /** What a wait alone takes; nobody waits for longer than that before it is known. */
    private volatile double aloneNanos = Double.POSITIVE_INFINITY;

    private volatile int servedAtOnce = NOT_KNOWN;

    public DiskPlaces(long nowNanos) {
        others = new DecayedRatio(MEAN_NANOS, 0, PRIOR_NANOS, nowNanos);
        waiting = new DecayedRatio(MEAN_NANOS, 0, PRIOR_NANOS, nowNanos);
        inService = new DecayedRatio(MEAN_NANOS, 0, PRIOR_NANOS, nowNanos);
        lately = new RecentLeast(SHOWS_NANOS, nowNanos);
        settledNanos = nowNanos;
        for (int i = 0; i < MOST; i++) {
            waits[i] = new RecentTimes(WINDOW);
        }
    }

    /**
     * Adds a sampled read that has ended.
     *
     * @param underWay how many tasks had a thread of those that read when it began, itself included; 1 or above
     * @param waitsForDisk how often it waited for the disk, 0 or above
     * @param waitedNanos how long it waited, if it did
     * @param partSampled the part of such reads that are sampled, above 0
     */
    public void add(int underWay, long waitsForDisk, long waitedNanos, double partSampled) {
        if (underWay < 1) {
            throw Allowed.refusal("underWay", underWay, "1 or above");
        }
        readsAdded.add(1 / partSampled);
        othersAdded.add((underWay - 1) / partSampled);
        if (waitsForDisk > 0) {
            waitsAdded.add(waitedNanos / partSampled);
            servicesAdded.add(Math.min(waitedNanos, waitsForDisk * aloneNanos) / partSampled);
        }
        if (waitsForDisk == 1 && underWay <= MOST && (underWay == 1 || tells)) {
            waits[underWay - 1].add(waitedNanos);
        }
    }

    /** Brings the number up to date, some times a second. */
    public void settle(long nowNanos) {
        long elapsed = nowNanos - settledNanos;
        if (elapsed <= 0) {
            return;
        }
        settledNanos = nowNanos;
        double reads = readsAdded.sumThenReset();
        double othersOfRead = othersAdded.sumThenReset() / Math.max(reads, 1);
        others.add(Math.max(0, othersOfRead) * elapsed, elapsed, nowNanos);
        waiting.add(waitsAdded.sumThenReset(), elapsed, nowNanos);
        inService.add(servicesAdded.sumThenReset(), elapsed, nowNanos);
        aloneNanos = isKnown(0) ? waits[0].upperQuartile() : Double.POSITIVE_INFINITY;
        double otherwise = Math.max(0, others.value() - waiting.value());
        tells = isKnown(0) && inService.value() > 0 && inService.value() >= LEAST_IN_SERVICE * otherwise;
        int served = (int) lately.add(tells ? served() : NOT_KNOWN, nowNanos);
        knownNanos = served == NOT_KNOWN ? knownNanos : nowNanos;
        if (served != NOT_KNOWN || nowNanos - knownNanos >= STANDS_NANOS) {
            servedAtOnce = served;
        }
    }

    private int served() {
        if (!isKnown(1)) {
            return NOT_KNOWN;
        }
        double most = (1 + MOST_LONGER) * aloneNanos;
        int served = 1;
        while (served < MOST && isKnown(served) && waits[served].upperQuartile() <= most) {
            served++;
        }
        return served;
    }

    private boolean isKnown(int othersUnderWay) {
        return waits[othersUnderWay].count() >= FEW;
    }

    /** How many reads the disk serves side by side, 1 to {@value #MOST}, or more; or {@link #NOT_KNOWN}. */
    public int servedAtOnce() {
        return servedAtOnce;
    }
}
