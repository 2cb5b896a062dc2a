// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.SplitMix64;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * The operations that this node admitted and has not yet reported to the other replicas, per partition. The ledger has
 * a fixed size. Noting is lock-free and allocates nothing; one thread at a time drains the ledger.
 *
 * @param <G> the partition's group (a table); referenced while the partition has unreported operations
 * @param <K> the partition's key in the group (a token); referenced for the same time
 */
public final class AdmissionLedger<G, K> {
    /** Receives the unreported operations of one partition; one drain may call it twice for a partition. */
    public interface Entry<G, K> {
        void untold(long partition, int limit, double operations, G group, K key);
    }

    /*
     * A slot's state is one word: the unreported operations in 1/256, the kind (free, being written or in use), and the
     * number of its use. A thread reads the state and then the partition, and adds by a compare-and-set of the state.
     * If the compare-and-set succeeds, the number of the use has not changed, and the partition is that of this use
     * (unless the use ended and 2^22 others began meanwhile).
     */
    private static final class Slot {
        private static final VarHandle STATE;

        static {
            try {
                STATE = MethodHandles.lookup().findVarHandle(Slot.class, "state", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        volatile long state;
        // Written only by the thread that set the state to WRITING; read before a compare-and-set of the state.
        long partition;
        int limit;
        Object group;
        Object key;

        boolean change(long from, long to) {
            return STATE.compareAndSet(this, from, to);
        }
    }

    private static final VarHandle DIRTY = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long PARTS = 256;
    private static final int AMOUNT_BITS = 40;
    private static final long MOST = (1L << AMOUNT_BITS) - 1;
    private static final long FREE = 0;
    private static final long WRITING = 1L << AMOUNT_BITS;
    private static final long USED = 2L << AMOUNT_BITS;
    private static final long KIND = 3L << AMOUNT_BITS;
    private static final long NEXT_USE = 4L << AMOUNT_BITS;
    private static final int PROBES = 8;

    private final Slot[] slots;
    /**
     * One bit for each slot that is not free: the cost of draining depends on the entries in the ledger, not on its
     * size.
     */
    private final long[] dirty;

    private final LongAdder dropped = new LongAdder();
    private final long seed;

    /**
     * @param slots the least number of partitions that fit, 1 to 2^24; rounded up to a power of two
     * @param hashSeed any number that clients cannot guess: with keys that share a place they would keep what is noted
     *     of other partitions from being told
     */
    public AdmissionLedger(int slots, long hashSeed) {
        if (slots < 1 || slots > 1 << 24) {
            throw Allowed.refusal("slots", slots, "1 to 2^24");
        }
        int size = Math.max(PROBES, slots == 1 ? 1 : Integer.highestOneBit(slots - 1) << 1);
        this.slots = new Slot[size];
        for (int i = 0; i < size; i++) {
            this.slots[i] = new Slot();
        }
        seed = SplitMix64.mix(hashSeed);
        dirty = new long[(size + Long.SIZE - 1) / Long.SIZE];
    }

    /**
     * Notes operations for which {@link PartitionLimiter#admit} answered {@link Decision#ADMITTED_NEAR_LIMIT}.
     *
     * @return true when the ledger should be drained at once: this note made the partition's unreported operations
     *     urgent, or found no room
     */
    public boolean note(long partition, int limit, double operations, G group, K key) {
        long more = Math.min(MOST, Math.round(operations * PARTS));
        long urgent = (long) (SharingRule.urgentOperations(limit) * PARTS);
        int home = (int) SplitMix64.mix(partition ^ seed);
        for (int i = 0; i < PROBES; i++) {
            int index = (home + i) & (slots.length - 1);
            Slot slot = slots[index];
            while (true) {
                long state = slot.state;
                long kind = state & KIND;
                if (kind == WRITING) {
                    break;
                }
                if (kind == FREE) {
                    if (!slot.change(state, state | WRITING)) {
                        continue;
                    }
                    slot.partition = partition;
                    slot.limit = limit;
                    slot.group = group;
                    slot.key = key;
                    // Before the slot is in use, so that operations added to the slot are certain to be drained.
                    setDirty(index);
                    slot.state = (state & -NEXT_USE) | USED | more;
                    return more >= urgent;
                }
                if (slot.partition != partition) {
                    break;
                }
                long before = state & MOST;
                if (slot.change(state, state - before + Math.min(before + more, MOST))) {
                    return before < urgent && before + more >= urgent;
                }
            }
        }
        dropped.increment();
        return true;
    }

    /**
     * Hands over all unreported operations, which then count as reported. An exception of the receiver ends the
     * draining: the receiver's entry is lost, the remaining entries stay.
     *
     * @return the number of entries handed over
     */
    public int drain(Entry<G, K> to) {
        int entries = 0;
        for (int word = 0; word < dirty.length; word++) {
            if ((long) DIRTY.getOpaque(dirty, word) == 0) {
                continue;
            }
            long bits = (long) DIRTY.getAndSet(dirty, word, 0L);
            try {
                for (; bits != 0; bits &= bits - 1) {
                    if (drainSlot(word * Long.SIZE + Long.numberOfTrailingZeros(bits), to)) {
                        entries++;
                    }
                }
            } finally {
                // The receiver threw: its entry is lost, the remaining entries are drained next time.
                if (bits != 0) {
                    addDirty(word, bits & (bits - 1));
                }
            }
        }
        return entries;
    }

    @SuppressWarnings("unchecked")
    private boolean drainSlot(int index, Entry<G, K> to) {
        Slot slot = slots[index];
        long state = slot.state;
        if ((state & KIND) == WRITING) {
            setDirty(index);
        }
        if ((state & KIND) != USED) {
            return false;
        }
        while (!slot.change(state, (state & -NEXT_USE) | WRITING)) {
            state = slot.state;
        }
        long partition = slot.partition;
        int limit = slot.limit;
        G group = (G) slot.group;
        K key = (K) slot.key;
        slot.group = null;
        slot.key = null;
        slot.state = (state & -NEXT_USE) + NEXT_USE;
        long amount = state & MOST;
        if (amount > 0) {
            to.untold(partition, limit, amount / (double) PARTS, group, key);
        }
        return amount > 0;
    }

    private void setDirty(int index) {
        addDirty(index / Long.SIZE, 1L << index);
    }

    /** Sets bits, by compare-and-set: Lincheck changes threads there, and not at getAndBitwiseOr. */
    private void addDirty(int word, long more) {
        long bits;
        do {
            bits = (long) DIRTY.getVolatile(dirty, word);
        } while (!DIRTY.compareAndSet(dirty, word, bits, bits | more));
    }

    /** Notes that were lost because there was no room. */
    public long dropped() {
        return dropped.sum();
    }
}
