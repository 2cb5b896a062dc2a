// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.Allowed;
import dev.isotherm.common.EventVariance;
import dev.isotherm.common.SamplePauses;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the local reads of one table cost this node, by a sample of them: how often they waited for the disk, and how
 * long those and the others took. Of the reads that repeat a partition among about a hundred, one counts, so that a hot
 * partition does not make its replicas look warm for all others.
 *
 * <p>Any thread may ask for the sampling and add reads; one thread settles. Neither asking nor adding takes a lock, or
 * allocates but for the first time of each kind.
 */
public final class DiskReads {
    /*
     * A wait for the disk occupies it for the time t, and every read occupies a processor for the time h. With w waits
     * per read, n reads a second take n w t seconds of the disk and n h of processors: the scarcer of the two is
     * exhausted first, so a read costs
     *
     *     c = max(h, w t).
     *
     * With equal disks the shares 1/c are those by max(h/t, w): the disks are read equally often, with a floor of what
     * a hit costs beside a wait. What a hit takes longer than a wait because of a queue at the processors does not
     * count: HitTimes.
     *
     * Reads are not counted by whether they waited, but waits: a read of a cold node waits for the index and for each
     * piece of the row, one of a warm node for a piece that happens to be missing. By the number of reads that wait,
     * or by the time that most of them take, the one would look far too dear beside the other.
     *
     * Of the time of a read that waited, less what a hit takes, t is the part for which the disk was busy: WaitTimes.
     */
    /** A started node counts as cold until about this many of its own reads outweigh the cold value. */
    private static final double COLD_READS = 20;
    /** The reads sampled of a table per second, about. */
    private static final double MOST_SAMPLES_PER_SECOND = 500;
    /** All reads of a table at rest would be sampled: when these become many, so many are until it is settled. */
    private static final int MOST_SAMPLES = 1000;

    private final AdaptiveRatio waitsPerRead;
    private final WaitTimes ofWaits;
    private final HitTimes ofHits;
    private final long coldReadNanos;
    private final FirstReads firstReads = new FirstReads();
    private final LongAdder sampled = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final LongAdder waited = new LongAdder();
    private final LongAdder waits = new LongAdder();
    private final ToldHeat told = new ToldHeat(Heat.Kind.COST);
    private Heat heat;
    private volatile double fraction = 1;
    /** The reads that were to be sampled since it was settled. */
    private final AtomicInteger begun = new AtomicInteger();

    private long lastNanos;
    private long settledSamples;
    private long settledRepeated;
    private long settledWaited;
    private long settledWaits;

    /**
     * @param smoothingNanos the time constant of the moving averages, 1 or above
     * @param coldReadNanos what a wait is taken to last before one was seen, and what a hit with a queue
     *     costs at most unless a wait takes longer; 1 or above
     */
    public DiskReads(long smoothingNanos, long coldReadNanos, long nowNanos) {
        if (coldReadNanos < 1) {
            throw Allowed.refusal("coldReadNanos", coldReadNanos, "1 or above");
        }
        this.waitsPerRead = new AdaptiveRatio(EventVariance.OF_COUNT, smoothingNanos, 1, COLD_READS, 0, nowNanos);
        this.ofWaits = new WaitTimes(smoothingNanos, coldReadNanos, nowNanos);
        this.ofHits = new HitTimes(smoothingNanos, nowNanos);
        this.coldReadNanos = coldReadNanos;
        this.lastNanos = nowNanos;
        this.heat = told.measured(costNanos(), 0);
    }

    /** Sets the time constant of the moving averages, 1 or above; they themselves stay. For the thread that settles. */
    public void setSmoothing(long nanos) {
        waitsPerRead.setSmoothing(nanos);
        ofWaits.setSmoothing(nanos);
        ofHits.setSmoothing(nanos);
    }

    /**
     * Whether to sample a read.
     *
     * @param u random number in [0, 1)
     */
    public boolean isSampled(double u) {
        return u < fraction && begun.get() < MOST_SAMPLES && begun.getAndIncrement() < MOST_SAMPLES;
    }

    /**
     * Adds one sampled read of a partition, unless it repeats one that was added lately.
     *
     * @param token the partition's token
     * @param waitsForDisk how often the read waited for the disk, 0 or above
     * @param nanos how long it took
     */
    public void add(long token, long waitsForDisk, long nanos) {
        if (firstReads.isFirst(token)) {
            add(waitsForDisk, nanos);
        } else {
            repeated.increment();
        }
    }

    /**
     * Adds one sampled read, of any partition.
     *
     * @param waitsForDisk how often it waited for the disk, 0 or above
     * @param nanos how long it took
     */
    public void add(long waitsForDisk, long nanos) {
        sampled.increment();
        if (waitsForDisk > 0) {
            waited.increment();
            waits.add(waitsForDisk);
            ofWaits.add(waitedNanos(nanos) / waitsForDisk);
        } else {
            ofHits.add(nanos);
        }
    }

    /** The part of the reads that is sampled now, about; above 0. */
    public double partSampled() {
        return fraction;
    }

    /** How long a read that took so long waited: all of it but what a hit takes. */
    public long waitedNanos(long nanos) {
        return Math.max(0, nanos - (long) ofHits.value());
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
        begun.set(0);
        // In the reverse order of their counting: what is counted here is in the sample too.
        long allWaits = waits.sum();
        long allWaited = waited.sum();
        long samples = sampled.sum() - settledSamples;
        long newWaits = allWaits - settledWaits;
        // The sample of a read that waited may have been settled before its waiting was counted.
        long newWaited = Math.min(samples, allWaited - settledWaited);
        long newHits = samples - newWaited;
        settledSamples += samples;
        settledWaited += newWaited;
        if (samples > 0) {
            settledWaits += newWaits;
            waitsPerRead.add(newWaits, samples, nowNanos);
        }
        if (newHits > 0) {
            ofHits.settle(newHits, Math.max(coldReadNanos, ofWaits.value()), nowNanos);
        }
        // Those that repeat a partition hardly wait.
        long seen = samples + repeated.sum() - settledRepeated;
        settledRepeated += seen - samples;
        ofWaits.settle(newWaited, samples > 0 ? reads * newWaits / seen : 0, elapsed, nowNanos);
        heat = told.measured(costNanos(), error());
    }

    /** The time since the last call counts for nothing, nor does what was sampled in it: see {@link SamplePauses}. */
    public void skip(long nowNanos) {
        lastNanos = nowNanos;
        begun.set(0);
        settledWaits = waits.sum();
        settledWaited = waited.sum();
        settledSamples = sampled.sum();
        settledRepeated = repeated.sum();
    }

    private double error() {
        double ofDisk = Math.hypot(waitsPerRead.error() * ofWaits.value(), waitsPerRead.value() * ofWaits.error());
        return costNanos() > ofHits.cost() ? ofDisk : ofHits.costError();
    }

    /** The reads that were sampled and added since the start. */
    public long sampled() {
        return sampled.sum();
    }

    /** Those of the sampled reads that waited for the disk. */
    public long waited() {
        return waited.sum();
    }

    /** How long the disk keeps a read that waits for it, without a wait in the disk's queue; nanoseconds. */
    public double nanosPerWaitingRead() {
        long reads = waited.sum();
        return ofWaits.value() * (reads == 0 ? 1 : Math.max(1, waits.sum() / (double) reads));
    }

    /** The waits for the disk per read; 1 at first. */
    public double waitsPerRead() {
        return waitsPerRead.value();
    }

    /** What a wait takes of the disk, without its wait in the disk's queue; nanoseconds. */
    public double waitNanos() {
        return ofWaits.value();
    }

    /** What a read costs the node, of the disk or a processor, whichever is more; nanoseconds. */
    public double costNanos() {
        return Math.max(ofHits.cost(), waitsPerRead.value() * ofWaits.value());
    }

    /** The cost as the node tells it. For the thread that settles. */
    public Heat heat() {
        return heat;
    }
}
