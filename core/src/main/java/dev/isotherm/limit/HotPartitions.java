// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.SplitMix64;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The hottest partitions at present: a fixed number of slots, a sample of the operations, and rates that are moving
 * averages with a time constant of {@link #TIME_CONSTANT_SECONDS}. {@link #seen} takes no lock and allocates nothing;
 * one thread calls {@link #tick}; any thread may call {@link #forEach}.
 *
 * @param <G> a partition's group (a table); referenced while the partition has a slot
 * @param <K> the partition's key in the group; referenced for the same time
 */
public final class HotPartitions<G, K> {
    /**
     * Receives one partition: the reads and writes admitted and the operations rejected, per second, and those of the
     * latter that were over the partition's own limit.
     */
    public interface Entry<G, K> {
        void partition(
                G group,
                K key,
                double readsPerSecond,
                double writesPerSecond,
                double rejectedPerSecond,
                double rejectedByKeyPerSecond);
    }

    /** Age at which an operation counts 1/e. */
    public static final double TIME_CONSTANT_SECONDS = 3;

    private static final int WAYS = 8;

    private final HotSlot<G, K>[] slots;
    private final int sampleOneIn;
    private final long seed;
    private long lastNanos;
    private boolean ticked;

    /**
     * @param slots the number of partitions watched, 8 to 2^20; rounded up to a power of two
     * @param sampleOneIn one operation of this many is in the sample, 1 or above
     * @param hashSeed any number that clients cannot guess: keys that share a place would hide others
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public HotPartitions(int slots, int sampleOneIn, long hashSeed) {
        if (slots < WAYS || slots > 1 << 20) {
            throw Allowed.refusal("slots", slots, "8 to 2^20");
        }
        if (sampleOneIn < 1) {
            throw Allowed.refusal("sampleOneIn", sampleOneIn, "1 or above");
        }
        this.slots = new HotSlot[Integer.highestOneBit(slots - 1) << 1];
        for (int i = 0; i < this.slots.length; i++) {
            this.slots[i] = new HotSlot<>();
        }
        this.sampleOneIn = sampleOneIn;
        this.seed = SplitMix64.mix(hashSeed);
    }

    /**
     * Counts an operation if it is in the sample.
     *
     * @param partition the {@link PartitionId} of the partition's reads, also for a write
     * @param random any 32 bits
     */
    public void seen(long partition, Operation operation, Verdict verdict, int random, G group, K key) {
        long mixed = mixed(random);
        if (!isSampled(mixed)) {
            return;
        }
        int set = (int) SplitMix64.mix(partition ^ seed) & (slots.length - 1) & -WAYS;
        HotSlot<G, K> coldest = null;
        for (int i = 0; i < WAYS; i++) {
            HotSlot<G, K> slot = slots[set + i];
            if (slot.holds(partition)) {
                slot.count(operation, verdict);
                return;
            }
            if (coldest == null || slot.weight() < coldest.weight()) {
                coldest = slot;
            }
        }
        // Randomised admission (Ben Basat et al., RAP, 2017): a newcomer takes a slot of weight w with probability 1/(w
        // + 1) and inherits the weight, so that a stream of cold partitions cannot displace the hot ones.
        if ((mixed & 0xFFFFFFFFL) * 0x1p-32 * (coldest.weight() + 1) >= 1) {
            return;
        }
        if (coldest.claim(partition, group, key) && isOnly(coldest, partition, set)) {
            coldest.count(operation, verdict);
        }
    }

    /** Whether an operation with this random number is in the sample. If not, the caller can omit {@link #seen}. */
    public boolean isSampled(int random) {
        return isSampled(mixed(random));
    }

    private boolean isSampled(long mixed) {
        return (mixed >>> 32) * sampleOneIn >>> 32 == 0;
    }

    /** Mixed, because the limiter decides by the same bits: rejected operations must be sampled as often as others. */
    private static long mixed(int random) {
        return SplitMix64.mix(random * SplitMix64.GOLDEN_GAMMA);
    }

    /** Releases the claimed slot if another thread has claimed a slot for the same partition meanwhile. */
    private boolean isOnly(HotSlot<G, K> claimed, long partition, int set) {
        for (int i = 0; i < WAYS; i++) {
            HotSlot<G, K> slot = slots[set + i];
            if (slot == claimed || !slot.holds(partition)) {
                continue;
            }
            claimed.release(partition);
            return false;
        }
        return true;
    }

    /**
     * Updates the rates with the operations counted since the last tick; the first tick takes them for one second's
     * worth. Call it once a second, from one thread at a time. A call at which the clock has not advanced does nothing.
     */
    public void tick(long nowNanos) {
        double seconds = (nowNanos - lastNanos) * 1e-9;
        boolean first = !ticked;
        if (!first && !(seconds > 0)) {
            return;
        }
        lastNanos = nowNanos;
        ticked = true;
        double kept = first ? 0 : Math.exp(-seconds / TIME_CONSTANT_SECONDS);
        for (HotSlot<G, K> slot : slots) {
            slot.tick(first ? 1 : seconds, kept, sampleOneIn);
        }
    }

    /** Passes on the watched partitions, the hottest first, as of the last tick. */
    public void forEach(Entry<G, K> to) {
        List<HotSlot.Rates<G, K>> hot = new ArrayList<>();
        for (HotSlot<G, K> slot : slots) {
            HotSlot.Rates<G, K> rates = slot.rates();
            if (rates != null && rates.total() > 0) {
                hot.add(rates);
            }
        }
        hot.sort(Comparator.comparingDouble((HotSlot.Rates<G, K> rates) -> rates.total())
                .reversed());
        for (HotSlot.Rates<G, K> rates : hot) {
            to.partition(rates.group, rates.key, rates.reads, rates.writes, rates.rejected(), rates.rejectedByKey);
        }
    }
}
