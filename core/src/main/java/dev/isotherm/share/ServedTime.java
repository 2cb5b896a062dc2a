// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.SplitMix64;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Who holds how much of the threads' time: the largest partitions in a fixed number of slots, with a decay that the
 * caller sets the pace of. {@link #add} takes no lock and allocates nothing; one thread calls {@link #decay}.
 *
 * <p>With additions one after the other, the time T that a partition was served and the time {@link #nanosOf} that it
 * is said to hold satisfy {@code nanosOf <= T <= nanosOf + W / 8}, with W the time of all partitions of the same set,
 * each decayed alike; rounding adds 16 ns an operation and 32 a decay. A partition that keeps its slot loses this
 * error with the decay. An addition that has found its slot when another thread takes it over or lets it go may count
 * for none; and for the slot's next partition, if that takes the slot before it has been added.
 */
public final class ServedTime {
    /*
     * Space-Saving (Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in data
     * streams", ICDT 2005), weighted by time and set-associative: a partition without a slot takes the least slot of
     * its set of WAYS and inherits what that slot held. The least of eight is at most an eighth of the set's time,
     * which bounds what a partition without a slot can have been served. What a slot had when its partition took it
     * over is taken off what it has since, so that a partition never seems to hold too much, but for the instant of the
     * take-over: nobody is cut for the time of others.
     *
     * One word has the time of a slot and the number of its operations, so that one addition counts both: 38 bits of
     * units of 16 ns, 4,400 seconds of threads, and 26 bits of 64ths of an operation, a million operations.
     */

    /** Receives a slot's partition, the time that it holds, in nanoseconds, and in how many operations. */
    interface Holder {
        void holds(long partition, long nanos, double operations);
    }

    static final int WAYS = 8;
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long NOBODY = 0;
    /** In the place of a partition whose slot is being emptied: nobody takes it meanwhile. */
    private static final long LEAVING = -1;

    private static final int UNIT_BITS = 4;
    private static final int OPERATION_BITS = 26;
    private static final long OPERATION = 64;
    private static final long OPERATIONS = (1L << OPERATION_BITS) - 1;
    /** The most that one operation counts: a longer one is beyond any timeout. */
    static final long MOST_NANOS = 60_000_000_000L;
    // A set is three lines of eight words: partitions, what their slots have, what these had when they were taken over.
    private static final int HAS = WAYS;
    private static final int HAD = 2 * WAYS;
    private static final int SET = 3 * WAYS;

    private final long[] cells;
    /** The number of sets, a power of two, less one. */
    private final int lastSet;

    private final long seed;

    /**
     * @param slots the number of partitions, 8 to 2^20; rounded up to a power of two
     * @param hashSeed any number that others cannot guess
     */
    public ServedTime(int slots, long hashSeed) {
        if (slots < WAYS || slots > 1 << 20) {
            throw Allowed.refusal("slots", slots, "8 to 2^20");
        }
        lastSet = (Integer.highestOneBit(slots - 1) << 1) / WAYS - 1;
        cells = new long[(lastSet + 1) * SET];
        seed = SplitMix64.mix(hashSeed);
    }

    /** Adds an operation on a partition that a thread served for so many nanoseconds; nothing below 16. */
    public void add(long partition, long nanos) {
        add(partition, nanos, OPERATION);
    }

    /** Adds time of an operation that has not ended: it itself is counted with the rest of its time. */
    public void addTime(long partition, long nanos) {
        add(partition, nanos, 0);
    }

    private void add(long partition, long nanos, long operation) {
        long units = Math.min(nanos, MOST_NANOS) >> UNIT_BITS;
        if (units < 1) {
            return;
        }
        long id = idOf(partition);
        long more = (units << OPERATION_BITS) + operation;
        int set = setOf(id);
        while (true) {
            int least = set;
            long leastHas = Long.MAX_VALUE;
            for (int way = set; way < set + WAYS; way++) {
                long there = get(way);
                if (there == id) {
                    CELL.getAndAdd(cells, way + HAS, more);
                    return;
                }
                long has = there == NOBODY ? -1 : there == LEAVING ? Long.MAX_VALUE : units(get(way + HAS));
                if (has < leastHas) {
                    leastHas = has;
                    least = way;
                }
            }
            if (take(least, id, leastHas < 0, more)) {
                return;
            }
        }
    }

    /** Gives the slot to the partition, which holds no more than this; false if another thread has changed it. */
    private boolean take(int way, long id, boolean free, long more) {
        long there = get(way);
        if (there != id) {
            if (there == LEAVING || free != (there == NOBODY)) {
                return false;
            }
            if (free) {
                // Before it is taken: from then on it has what other threads add for this partition.
                forget(way);
            }
            if (!CELL.compareAndSet(cells, way, there, id)) {
                return false;
            }
            if (!free) {
                // All that the slot has until now is others'.
                CELL.setOpaque(cells, way + HAD, get(way + HAS));
            }
        }
        CELL.getAndAdd(cells, way + HAS, more);
        return true;
    }

    /** The time that the partition is known to hold, in nanoseconds; 0 if it has no slot. */
    public long nanosOf(long partition) {
        long id = idOf(partition);
        int set = setOf(id);
        long held = 0;
        for (int way = set; way < set + WAYS; way++) {
            if (get(way) == id) {
                held += nanosHeldIn(way);
            }
        }
        return held;
    }

    /** The time that a slot's partition holds. */
    private long nanosHeldIn(int way) {
        long had = get(way + HAD);
        return Math.max(0, units(get(way + HAS)) - units(had)) << UNIT_BITS;
    }

    /** The number of operations in which it has held that time. */
    private double operationsIn(int way) {
        long had = get(way + HAD);
        return Math.max(0, (get(way + HAS) & OPERATIONS) - (had & OPERATIONS)) / (double) OPERATION;
    }

    /** The time of all partitions, also of those without a slot, in nanoseconds. */
    public long totalNanos() {
        long total = 0;
        for (int set = 0; set < cells.length; set += SET) {
            for (int way = set; way < set + WAYS; way++) {
                total += units(get(way + HAS));
            }
        }
        return total << UNIT_BITS;
    }

    /** Passes on the partition of each slot in use, in no order. */
    void forEach(Holder to) {
        for (int set = 0; set < cells.length; set += SET) {
            for (int way = set; way < set + WAYS; way++) {
                long id = get(way);
                if (id != NOBODY && id != LEAVING) {
                    to.holds(id, nanosHeldIn(way), operationsIn(way));
                }
            }
        }
    }

    /** The most that a partition is known to hold. */
    long mostNanos() {
        long[] most = {0};
        forEach((partition, nanos, operations) -> most[0] = Math.max(most[0], nanos));
        return most[0];
    }

    /** Lets everything count only this part, 0 to 1, from now on. One thread at a time calls it. */
    public void decay(double kept) {
        Allowed.ratio("kept", kept);
        for (int set = 0; set < cells.length; set += SET) {
            for (int way = set; way < set + WAYS; way++) {
                unite(set, way);
                long id = get(way);
                if (id != NOBODY) {
                    decay(way, kept);
                    release(way, id);
                } else {
                    forget(way);
                }
            }
        }
    }

    /** What a free slot has is nobody's: whoever takes it must not inherit it. */
    private void forget(int way) {
        forget(way, way + HAS);
        forget(way, way + HAD);
    }

    /** A thread that had found a partition in its slot, or took it over, may write there after it was let go. */
    private void forget(int way, int cell) {
        // Acquire: it is read before who has the slot. Who takes the slot meanwhile loses nothing: once something has
        // been added, there is something else.
        long there = (long) CELL.getAcquire(cells, cell);
        if (there != 0 && get(way) == NOBODY) {
            CELL.compareAndSet(cells, cell, there, 0L);
        }
    }

    /** Two threads may have given one partition two slots; its slots before this one take over what this one holds. */
    private void unite(int set, int way) {
        long id = get(way);
        for (int before = set; before < way && id != NOBODY; before++) {
            if (get(before) == id && CELL.compareAndSet(cells, way, id, LEAVING)) {
                CELL.getAndAdd(cells, before + HAD, (long) CELL.getAndSet(cells, way + HAD, 0L));
                CELL.getAndAdd(cells, before + HAS, (long) CELL.getAndSet(cells, way + HAS, 0L));
                CELL.setRelease(cells, way, NOBODY);
                return;
            }
        }
    }

    private void decay(int way, double kept) {
        long had = get(way + HAD);
        // Other threads add meanwhile.
        long has;
        do {
            has = get(way + HAS);
        } while (!CELL.compareAndSet(cells, way + HAS, has, fewer(has, kept)));
        // Rounded up: what is taken off must not fade faster. A take-over meanwhile has set it to what there is now.
        CELL.compareAndSet(cells, way + HAD, had, most(had, kept));
    }

    /** Lets the slot go if it is still this partition's, and has nothing. */
    private void release(int way, long id) {
        if (units(get(way + HAS)) == 0 && CELL.compareAndSet(cells, way, id, LEAVING)) {
            // What has been added since it was found empty counts for none.
            CELL.setOpaque(cells, way + HAD, 0L);
            CELL.setOpaque(cells, way + HAS, 0L);
            CELL.setRelease(cells, way, NOBODY);
        }
    }

    private static long fewer(long has, double kept) {
        long units = (long) (units(has) * kept);
        return units == 0 ? 0 : (units << OPERATION_BITS) + (long) ((has & OPERATIONS) * kept);
    }

    private static long most(long had, double kept) {
        long units = (long) Math.ceil(units(had) * kept);
        return (units << OPERATION_BITS) + (long) Math.ceil((had & OPERATIONS) * kept);
    }

    private static long units(long word) {
        return word >>> OPERATION_BITS;
    }

    private long get(int cell) {
        return (long) CELL.getOpaque(cells, cell);
    }

    private static long idOf(long partition) {
        return partition == NOBODY || partition == LEAVING ? 1 : partition;
    }

    private int setOf(long id) {
        return ((int) (SplitMix64.mix(id ^ seed) >>> 40) & lastSet) * SET;
    }
}
