// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.SplitMix64;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The hottest partitions now: a fixed number of slots, a sample of the operations, rates that are
 * moving averages with a time constant of {@link #TIME_CONSTANT_SECONDS}. {@link #seen} takes no
 * lock and allocates nothing; one thread ticks; any may look.
 *
 * @param <G> what a partition belongs to (a table); kept by reference while it has a slot
 * @param <K> its key there; kept likewise
 */
public final class HotPartitions<G, K> {
    /** Receives one partition: operations a second that went ahead, by kind, and that were rejected. */
    public interface Entry<G, K> {
        void partition(G group, K key, double readsPerSecond, double writesPerSecond, double rejectedPerSecond);
    }

    /** Age at which an operation counts 1/e. */
    public static final double TIME_CONSTANT_SECONDS = 3;

    private static final int WAYS = 8;

    private final HotSlot<G, K>[] slots;
    private final int sampleOneIn;
    private long lastNanos;
    private boolean ticked;

    /**
     * @param slots how many partitions are watched, 8 to 2^20; rounded up to a power of two
     * @param sampleOneIn of how many operations one is looked at, 1 or above
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public HotPartitions(int slots, int sampleOneIn) {
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
    }

    /**
     * Takes note of an operation, if it is in the sample.
     *
     * @param partition the {@link PartitionId} of the partition's reads, for its writes too
     * @param random any 32 bits
     */
    public void seen(long partition, Operation operation, boolean rejected, int random, G group, K key) {
        long mixed = mixed(random);
        if (!isSampled(mixed)) {
            return;
        }
        int set = (int) SplitMix64.mix(partition) & (slots.length - 1) & -WAYS;
        HotSlot<G, K> coldest = null;
        for (int i = 0; i < WAYS; i++) {
            HotSlot<G, K> slot = slots[set + i];
            if (slot.holds(partition)) {
                slot.count(operation, rejected);
                return;
            }
            if (coldest == null || slot.weight() < coldest.weight()) {
                coldest = slot;
            }
        }
        // Randomised admission (Ben Basat et al., RAP, 2017): a newcomer takes a slot of weight w with
        // probability 1/(w + 1) and inherits the weight, so that a stream of cold ones cannot flush the hot.
        if ((mixed & 0xFFFFFFFFL) * 0x1p-32 * (coldest.weight() + 1) >= 1) {
            return;
        }
        if (coldest.claim(partition, group, key) && isOnly(coldest, partition, set)) {
            coldest.count(operation, rejected);
        }
    }

    /**
     * Whether {@link #seen} looks at an operation with this random number: else its arguments need not even be made.
     */
    public boolean isSampled(int random) {
        return isSampled(mixed(random));
    }

    private boolean isSampled(long mixed) {
        return (mixed >>> 32) * sampleOneIn >>> 32 == 0;
    }

    /** Mixed: the limiter decides by the same bits, and what it rejects must be in the sample as often. */
    private static long mixed(int random) {
        return SplitMix64.mix(random * SplitMix64.GOLDEN_GAMMA);
    }

    /** Lets go of a slot again where another thread has claimed one for the same partition meanwhile. */
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
     * Turns what was counted since the last tick into rates (the first takes it for one second's worth);
     * call it once a second, from one thread at a time. A clock that did not advance counts as not called.
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

    /** Shows the partitions watched, the hottest first, as of the last tick. */
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
            to.partition(rates.group, rates.key, rates.reads, rates.writes, rates.rejected);
        }
    }
}
