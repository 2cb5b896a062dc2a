// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.DecayedRatio;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the local reads of one table cost this node, by a sample of them: how many went to the disk, and how long those
 * and the others took.
 *
 * <p>Any thread may ask for the sampling and add reads; one thread settles. Neither asking nor adding takes a lock or
 * allocates.
 */
public final class DiskReads {
    /*
     * A read that misses occupies the disk for the time t, and every read occupies a processor for the time h. With m
     * misses per read, n reads a second take n m t seconds of the disk and n h of processors: the scarcer of the two is
     * exhausted first, so a read costs
     *
     *     c = max(h, m t).
     *
     * With equal disks the shares 1/c are those by max(h/t, m): the miss ratio, with a floor of what a hit costs beside
     * a miss.
     *
     * A disk with a queue lets a read wait, and the wait says how much the node was given, not how fast it is: shares
     * by it would swing. t must be the service time. The reads that found no queue have it, so t is the lower
     * quartile of the last misses, less the quartile of the last hits. A quartile instead of the least: some reads
     * only set off the kernel's reading ahead and count as misses although they did not wait.
     */
    private static final int WINDOW = 64;
    /** Until so many misses were seen, a miss takes what the settings say of a cold node. */
    private static final int FEW = 8;
    /** A started node counts as cold until about this many of its own reads outweigh the cold value. */
    private static final double COLD_READS = 20;
    /** The reads sampled of a table per second, about. */
    private static final double MOST_SAMPLES_PER_SECOND = 500;

    private final DecayedRatio missRatio;
    private final DecayedRatio missNanos;
    private final DecayedRatio hitNanos;
    private final RecentTimes misses = new RecentTimes(WINDOW);
    private final RecentTimes hits = new RecentTimes(WINDOW);
    private final LongAdder sampled = new LongAdder();
    private final LongAdder missed = new LongAdder();
    private volatile double fraction = 1;
    private long lastNanos;
    private long settledSamples;
    private long settledMisses;

    /**
     * @param smoothingNanos the time constant of the moving averages, 1 or above
     * @param coldReadNanos what a miss is taken to last before one was seen, 1 or above
     */
    public DiskReads(long smoothingNanos, long coldReadNanos, long nowNanos) {
        if (coldReadNanos < 1) {
            throw Allowed.refusal("coldReadNanos", coldReadNanos, "1 or above");
        }
        this.missRatio = new DecayedRatio(smoothingNanos, 1, COLD_READS, nowNanos);
        this.missNanos = new DecayedRatio(smoothingNanos, coldReadNanos, FEW, nowNanos);
        this.hitNanos = new DecayedRatio(smoothingNanos, 0, 1e-3, nowNanos);
        this.lastNanos = nowNanos;
    }

    /**
     * Whether to sample a read.
     *
     * @param u random number in [0, 1)
     */
    public boolean isSampled(double u) {
        return u < fraction;
    }

    /**
     * Adds one sampled read.
     *
     * @param fromDisk whether it went to the disk
     * @param nanos how long it took
     */
    public void add(boolean fromDisk, long nanos) {
        sampled.increment();
        if (fromDisk) {
            missed.increment();
            misses.add(nanos);
        } else {
            hits.add(nanos);
        }
    }

    /**
     * Brings the cost and the sampling up to date.
     *
     * @param reads the table's local reads since the last call, sampled or not
     */
    public void settle(double reads, long nowNanos) {
        long elapsed = nowNanos - lastNanos;
        if (elapsed <= 0) {
            return;
        }
        lastNanos = nowNanos;
        fraction = Math.min(1, MOST_SAMPLES_PER_SECOND * elapsed / 1e9 / Math.max(1, reads));
        // The misses first: then each of them is in the sample too.
        long allMisses = missed.sum();
        long samples = sampled.sum() - settledSamples;
        // The sample of a miss may have been settled before the miss was counted.
        long newMisses = Math.min(samples, allMisses - settledMisses);
        long newHits = samples - newMisses;
        settledSamples += samples;
        settledMisses += newMisses;
        missRatio.add(newMisses, samples, nowNanos);
        if (newHits > 0) {
            hitNanos.add(hits.lowerQuartile() * newHits, newHits, nowNanos);
        }
        if (newMisses > 0 && misses.count() >= FEW) {
            missNanos.add(Math.max(0, misses.lowerQuartile() - hitNanos.value()) * newMisses, newMisses, nowNanos);
        }
    }

    /** The reads sampled since the start. */
    public long sampled() {
        return sampled.sum();
    }

    /** The misses per read; 1 at first. */
    public double missRatio() {
        return missRatio.value();
    }

    /** What a miss takes of the disk, without its wait in the disk's queue; nanoseconds. */
    public double missNanos() {
        return missNanos.value();
    }

    /** What a read costs the node, of the disk or a processor, whichever is more; nanoseconds. */
    public double costNanos() {
        return Math.max(hitNanos.value(), missRatio.value() * missNanos.value());
    }
}
