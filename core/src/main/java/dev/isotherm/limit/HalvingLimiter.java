// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import java.util.concurrent.atomic.LongAdder;

/**
 * A limiter of counters that are halved at each second of the wall clock; instants are those of the wall clock. With
 * more than twice the limit counted, an operation is admitted with probability limit / (count ln 2). A rejected
 * operation is counted too, by the node that rejects it.
 *
 * <p>Kept beside {@link BucketLimiter} for comparison: this limiter admits several times the limit in the first second
 * after idleness.
 */
public final class HalvingLimiter implements PartitionLimiter {
    /*
     * At a constant rate x the count is 2x at the end of a second and x after the halving. The mean is x / ln 2 (the
     * logarithmic mean of the values between), which gives the probability.
     *
     * One word holds 20 bits of fingerprint, 16 bits of the second as of which the count stands (they wrap after 18
     * hours), and 28 bits of the count.
     */
    private static final int COUNT_BITS = 28;
    private static final int SECOND_BITS = 16;
    private static final int FINGERPRINT_BITS = 64 - SECOND_BITS - COUNT_BITS;
    private static final long MOST = (1L << COUNT_BITS) - 1;
    private static final long SECOND_MASK = (1L << SECOND_BITS) - 1;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final double LN_2 = Math.log(2);
    private static final int FULL = Integer.MIN_VALUE;

    private final SetAssociativeSlots slots;
    private final LongAdder uncounted = new LongAdder();
    private final LongAdder evicted = new LongAdder();

    /**
     * @param maxBytes memory of the slots, 128 or above
     * @param hashSeed any number that others cannot guess
     */
    public HalvingLimiter(long maxBytes, long hashSeed) {
        slots = new SetAssociativeSlots(maxBytes, hashSeed);
    }

    @Override
    public Decision admit(long partition, int limit, double operations, int random, long nowNanos) {
        if (limit <= 0) {
            return Decision.REJECTED;
        }
        long more = whole(operations, Dither.of(random));
        long before = add(partition, more, nowNanos);
        if (before == FULL) {
            uncounted.increment();
            return Decision.ADMITTED_UNCOUNTED;
        }
        long counted = before + more;
        if (counted > 2L * limit && (random >>> 1) * 0x1p-31 * counted * LN_2 >= limit) {
            return Decision.REJECTED;
        }
        return Decision.ADMITTED_NEAR_LIMIT;
    }

    @Override
    public void account(long partition, int limit, double operations, long nowNanos) {
        if (limit <= 0) {
            return;
        }
        long more = whole(operations, Dither.of(partition, nowNanos));
        if (add(partition, more, nowNanos) == FULL) {
            uncounted.add(Math.max(1, more));
        }
    }

    @Override
    public void refund(long partition, int limit, double operations, long nowNanos) {
        if (limit <= 0) {
            return;
        }
        long now = Math.floorDiv(nowNanos, NANOS_PER_SECOND);
        long hash = slots.hash(partition);
        long print = SetAssociativeSlots.fingerprint(hash, FINGERPRINT_BITS);
        int home = slots.home(hash);
        long less = whole(operations, Dither.of(partition, nowNanos));
        while (true) {
            int slot = find(home, print, now, 0);
            if (slot < 0) {
                return;
            }
            long word = slots.get(slot);
            if (printOf(word) == print
                    && slots.replace(slot, word, word(print, now, word, Math.max(0, count(word, now) - less)))) {
                return;
            }
        }
    }

    /** Adds to a partition's count and returns the count before, or FULL. */
    private long add(long partition, long more, long nowNanos) {
        long now = Math.floorDiv(nowNanos, NANOS_PER_SECOND);
        long hash = slots.hash(partition);
        long print = SetAssociativeSlots.fingerprint(hash, FINGERPRINT_BITS);
        return add(slots.home(hash), print, more, now);
    }

    private long add(int home, long print, long more, long now) {
        while (true) {
            int slot = find(home, print, now, more);
            if (slot == FULL) {
                return FULL;
            }
            boolean enters = slot < 0;
            if (enters) {
                slot = ~slot;
            }
            long word = slots.get(slot);
            long before = count(word, now);
            // Another partition, or this one in another thread, may have taken the slot since find: search again.
            if ((printOf(word) == print) == enters || (enters && before > 0 && before >= more)) {
                continue;
            }
            long sum = enters ? more : Math.min(before + more, MOST);
            long replacement = word(print, now, enters ? 0 : word, sum);
            if (!slots.replace(slot, word, replacement)) {
                continue;
            }
            if (!enters) {
                return before;
            }
            if (before > 0) {
                evicted.increment();
            }
            if (isUnited(slot, replacement, home, print, now)) {
                return 0;
            }
        }
    }

    /**
     * Moves a partition's counts into one slot if two threads have entered it into two, as in {@link BucketLimiter};
     * false if what this thread entered was withdrawn instead.
     */
    private boolean isUnited(int slot, long entered, int home, long print, long now) {
        int twin = slots.twin(slot, SECOND_BITS + COUNT_BITS, print);
        // Where another thread has emptied this slot meanwhile, the counts are in the twin already.
        while (twin > slot && printOf(slots.get(slot)) == print) {
            move(twin, home, print, now);
            twin = slots.twin(slot, SECOND_BITS + COUNT_BITS, print);
        }
        if (twin == SetAssociativeSlots.NONE || twin > slot) {
            return true;
        }
        if (slots.replace(slot, entered, 0)) {
            return false;
        }
        move(slot, home, print, now);
        return true;
    }

    private void move(int from, int home, long print, long now) {
        long word;
        do {
            word = slots.get(from);
            if (printOf(word) != print) {
                return;
            }
        } while (!slots.replace(from, word, 0));
        long count = count(word, now);
        if (count > 0 && add(home, print, count, now) == FULL) {
            evicted.increment();
        }
    }

    /** The partition's slot, or ~slot for a slot that the partition may take, or FULL. */
    private int find(int home, long print, long now, long counts) {
        int best = FULL;
        long least = Math.max(counts, 1);
        for (int i = 0; i < SetAssociativeSlots.WAYS; i++) {
            int slot = SetAssociativeSlots.way(home, i);
            long word = slots.get(slot);
            if (printOf(word) == print) {
                return slot;
            }
            long count = count(word, now);
            if (count < least) {
                least = count;
                best = ~slot;
            }
        }
        return best;
    }

    private static long printOf(long word) {
        return word >>> (SECOND_BITS + COUNT_BITS);
    }

    /** The count as of now, halved once for each second that began since it was written. */
    private static long count(long word, long now) {
        long seconds = secondsSince(word, now);
        return seconds > COUNT_BITS ? 0 : (word & MOST) >>> seconds;
    }

    /** Also 0 if the word's second is later: threads may arrive here in another order than they read the clock. */
    private static long secondsSince(long word, long now) {
        long seconds = (now - (word >>> COUNT_BITS)) & SECOND_MASK;
        return seconds > SECOND_MASK - 2 ? 0 : seconds;
    }

    private static long word(long print, long now, long before, long count) {
        long second = before == 0 || secondsSince(before, now) > 0 ? now : before >>> COUNT_BITS;
        return print << (SECOND_BITS + COUNT_BITS) | (second & SECOND_MASK) << COUNT_BITS | count;
    }

    private static long whole(double operations, double fraction) {
        return (long) (Math.min(operations, MOST) + fraction);
    }

    @Override
    public int sweep(long nowNanos) {
        long now = Math.floorDiv(nowNanos, NANOS_PER_SECOND);
        return slots.sweep(now, HalvingLimiter::count);
    }

    @Override
    public long uncounted() {
        return uncounted.sum();
    }

    @Override
    public long evicted() {
        return evicted.sum();
    }

    @Override
    public long bytes() {
        return slots.bytes();
    }
}
