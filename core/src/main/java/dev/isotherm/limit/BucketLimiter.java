// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.Allowed;
import java.util.concurrent.atomic.LongAdder;

/**
 * A limiter that counts debt. Each admitted operation adds 1/limit seconds to its partition's debt, and time pays the
 * debt off. An operation that would begin deeper in debt than the burst is rejected. The clock is monotonic.
 *
 * <p>In the long run exactly the limit is admitted; in the first t seconds after idleness, about limit (t + burst)
 * operations. {@link BurstEdge} has the details. A rejection writes nothing.
 */
public final class BucketLimiter implements PartitionLimiter {
    /*
     * Virtual scheduling (GCRA, ITU-T I.371): the only state of a partition is the instant at which its debt is paid
     * off. An instant in the past equals no state, so that only partitions that lately exceeded their rate need memory,
     * and nothing has to decay. One word holds 24 bits of fingerprint and 40 bits of the instant in units of 16 ns,
     * which wrap after 4.9 hours. A debt is at most the burst and SECONDS_BEYOND_BURST. An instant up to
     * BELIEVED_SECONDS ahead is still believed, because a thread may be delayed between its reading of the clock and
     * this code; an instant further ahead is an old one that has wrapped. sweep() clears old instants before they could
     * wrap and look like debt.
     *
     * Rounding 1/limit to units is dithered: the mean is right for every limit.
     *
     * Two threads may enter one partition into two slots, if a slot becomes free between their looks or they read the
     * clock before and after it does. Each looks again after entering, and at least one then sees both slots: the later
     * slot of the set gives its debt to the earlier one, and a call whose own entry is the later one decides anew.
     *
     * So whenever no call on a partition is under way, it has one slot and owes all that was admitted and accounted,
     * except what evicted() and uncounted() count. While a call that entered it is under way, others may decide by the
     * part of the debt in one of its slots: beyond the limit and the burst, a window of time may then begin with
     * another burst for each further slot (two slots in practice, eight at most). That too is owed and paid off. A
     * refund that finds less debt in its slot than it returns is lost in part.
     */

    /**
     * Below 2/3: three coordinators that each admit a burst before they hear of each other admit less than twice the
     * limit.
     */
    public static final double DEFAULT_BURST_SECONDS = 0.4;

    /** The most seconds of debt beyond the burst that reports of other nodes may add to a partition. */
    static final double SECONDS_BEYOND_BURST = 4;

    static final double BELIEVED_SECONDS = 60;
    private static final double MAX_BURST_SECONDS = 10;
    static final int UNIT_BITS = 4;
    static final double UNITS_PER_SECOND = 1e9 / (1 << UNIT_BITS);
    static final int TIME_BITS = 40;
    private static final int FINGERPRINT_BITS = 64 - TIME_BITS;
    private static final long TIME_MASK = (1L << TIME_BITS) - 1;
    private static final long NO_DEBT = -(1L << TIME_BITS);
    private static final long BELIEVED_UNITS = (long) (BELIEVED_SECONDS * UNITS_PER_SECOND);
    private static final double MOST_UNITS = 0x1p40;
    private static final int FULL = Integer.MIN_VALUE;

    private final SetAssociativeSlots slots;
    private final BurstEdge edge;
    private final long maxDebt;
    private final LongAdder uncounted = new LongAdder();
    private final LongAdder evicted = new LongAdder();

    /**
     * @param maxBytes memory of the slots, 128 or above
     * @param burstSeconds the debt up to which every operation is admitted, above 0, at most 10
     * @param hashSeed any number that others cannot guess
     */
    public BucketLimiter(long maxBytes, double burstSeconds, long hashSeed) {
        if (!(burstSeconds > 0 && burstSeconds <= MAX_BURST_SECONDS)) {
            throw Allowed.refusal("burstSeconds", burstSeconds, "above 0, at most 10");
        }
        slots = new SetAssociativeSlots(maxBytes, hashSeed);
        edge = new BurstEdge(burstSeconds, UNITS_PER_SECOND);
        maxDebt = (long) ((burstSeconds + SECONDS_BEYOND_BURST) * UNITS_PER_SECOND);
    }

    @Override
    public Decision admit(long partition, int limit, double operations, int random, long nowNanos) {
        if (limit <= 0) {
            return Decision.REJECTED;
        }
        double period = UNITS_PER_SECOND / limit;
        long now = nowNanos >> UNIT_BITS;
        long hash = slots.hash(partition);
        long print = SetAssociativeSlots.fingerprint(hash, FINGERPRINT_BITS);
        int home = slots.home(hash);
        while (true) {
            int slot = home;
            long word = slots.get(slot);
            if (word >>> TIME_BITS != print) {
                slot = find(home, print, now, (long) (operations * period));
                if (slot == FULL) {
                    return uncounted(1);
                }
                if (slot < 0) {
                    if (enter(~slot, home, print, now, dithered(operations * period, random))) {
                        return admitted(limit, NO_DEBT, period);
                    }
                    continue;
                }
                word = slots.get(slot);
                if (word >>> TIME_BITS != print) {
                    continue;
                }
            }
            long debt = debt(word, now);
            if (!edge.admits(debt, period, limit, random)) {
                return Decision.REJECTED;
            }
            long more = dithered(operations * period, random);
            if (slots.replace(slot, word, owing(print, now, raised(debt, more)))) {
                return admitted(limit, debt, period);
            }
        }
    }

    private static Decision admitted(int limit, long debt, double period) {
        return SharingRule.isTold(limit, -debt, period) ? Decision.ADMITTED_NEAR_LIMIT : Decision.ADMITTED;
    }

    @Override
    public void account(long partition, int limit, double operations, long nowNanos) {
        if (limit <= 0) {
            return;
        }
        long now = nowNanos >> UNIT_BITS;
        long hash = slots.hash(partition);
        long print = SetAssociativeSlots.fingerprint(hash, FINGERPRINT_BITS);
        int home = slots.home(hash);
        long more = dithered(operations * (UNITS_PER_SECOND / limit), Dither.of(partition, nowNanos));
        if (!add(home, print, now, more)) {
            uncounted((long) Math.max(1, Math.min(operations, MOST_UNITS)));
        }
    }

    /** Adds to a partition's debt; false if there is no room. */
    private boolean add(int home, long print, long now, long more) {
        while (true) {
            int slot = find(home, print, now, more);
            if (slot == FULL) {
                return false;
            }
            if (slot < 0) {
                if (enter(~slot, home, print, now, more)) {
                    return true;
                }
                continue;
            }
            long word = slots.get(slot);
            if (word >>> TIME_BITS == print
                    && slots.replace(slot, word, owing(print, now, raised(debt(word, now), more)))) {
                return true;
            }
        }
    }

    @Override
    public void refund(long partition, int limit, double operations, long nowNanos) {
        if (limit <= 0) {
            return;
        }
        long now = nowNanos >> UNIT_BITS;
        long hash = slots.hash(partition);
        long print = SetAssociativeSlots.fingerprint(hash, FINGERPRINT_BITS);
        int home = slots.home(hash);
        long less = dithered(operations * (UNITS_PER_SECOND / limit), Dither.of(partition, nowNanos));
        while (true) {
            int slot = find(home, print, now, 0);
            if (slot < 0) {
                return;
            }
            long word = slots.get(slot);
            long debt = debt(word, now);
            if (word >>> TIME_BITS != print) {
                continue;
            }
            if (debt <= 0 || slots.replace(slot, word, owing(print, now, Math.max(debt - less, 0)))) {
                return;
            }
        }
    }

    /** The partition's slot, or ~slot for a slot that the partition may take, or FULL. */
    private int find(int home, long print, long now, long owes) {
        // First all fingerprints: usually none matches, and the second loop then ends at its first slot, which is paid
        // off.
        for (int i = 0; i < SetAssociativeSlots.WAYS; i++) {
            int slot = SetAssociativeSlots.way(home, i);
            if (slots.get(slot) >>> TIME_BITS == print) {
                return slot;
            }
        }
        int best = FULL;
        long least = Math.max(owes, 1);
        for (int i = 0; i < SetAssociativeSlots.WAYS; i++) {
            int slot = SetAssociativeSlots.way(home, i);
            long word = slots.get(slot);
            // Compared again: another thread may have entered the partition since.
            if (word >>> TIME_BITS == print) {
                return slot;
            }
            long debt = debt(word, now);
            if (debt <= 0) {
                return ~slot;
            }
            if (debt < least) {
                least = debt;
                best = ~slot;
            }
        }
        return best;
    }

    /** Puts a partition into a slot; false if the caller must find the partition's slot again. */
    private boolean enter(int slot, int home, long print, long now, long owes) {
        long word = slots.get(slot);
        long debt = debt(word, now);
        // Another partition, or this one in another thread, may have taken the slot since find: search again.
        if (word >>> TIME_BITS == print || (debt > 0 && debt >= owes)) {
            return false;
        }
        long entered = owing(print, now, raised(NO_DEBT, owes));
        if (!slots.replace(slot, word, entered)) {
            return false;
        }
        if (debt > 0) {
            evicted.increment();
        }
        return slots.isOnly(slot, TIME_BITS, print) || isUnited(slot, entered, home, print, now);
    }

    /** Moves a partition's debt into one slot; false if what this thread entered was withdrawn instead. */
    private boolean isUnited(int slot, long entered, int home, long print, long now) {
        int twin = slots.twin(slot, TIME_BITS, print);
        // Where another thread has emptied this slot meanwhile, the debt is in the twin already.
        while (twin > slot && slots.get(slot) >>> TIME_BITS == print) {
            move(twin, home, print, now);
            twin = slots.twin(slot, TIME_BITS, print);
        }
        if (twin == SetAssociativeSlots.NONE || twin > slot) {
            return true;
        }
        if (slots.replace(slot, entered, 0)) {
            return false;
        }
        // Others have added to the slot, or moved its debt already.
        move(slot, home, print, now);
        return true;
    }

    private void move(int from, int home, long print, long now) {
        long word;
        do {
            word = slots.get(from);
            if (word >>> TIME_BITS != print) {
                return;
            }
        } while (!slots.replace(from, word, 0));
        long debt = debt(word, now);
        if (debt > 0 && !add(home, print, now, debt)) {
            evicted.increment();
        }
    }

    private static long dithered(double units, int random) {
        return dithered(units, Dither.of(random));
    }

    private static long dithered(double units, double fraction) {
        return (long) (Math.min(units, MOST_UNITS) + fraction);
    }

    /** The units until the debt is paid off; when it is paid off, minus the units since then. */
    private static long debt(long word, long now) {
        if (word == 0) {
            return NO_DEBT;
        }
        long debt = (word - now) << FINGERPRINT_BITS >> FINGERPRINT_BITS;
        return debt <= BELIEVED_UNITS ? debt : NO_DEBT;
    }

    /** The debt with so many units more, at most maxDebt. */
    private long raised(long debt, long units) {
        if (debt <= 0) {
            return Math.min(units, maxDebt);
        }
        return debt >= maxDebt ? debt : Math.min(debt + units, maxDebt);
    }

    private static long owing(long print, long now, long debt) {
        return print << TIME_BITS | ((now + debt) & TIME_MASK);
    }

    private Decision uncounted(long operations) {
        uncounted.add(operations);
        return Decision.ADMITTED_UNCOUNTED;
    }

    @Override
    public int sweep(long nowNanos) {
        long now = nowNanos >> UNIT_BITS;
        return slots.sweep(now, BucketLimiter::debt);
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
