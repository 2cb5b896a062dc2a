// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.SplitMix64;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongBinaryOperator;

/**
 * A fixed block of 64-bit slots in sets of eight, like a set-associative cache. A partition's slot is in the
 * partition's set, usually the home slot. 0 is an empty slot.
 */
final class SetAssociativeSlots {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    static final int WAYS = 8;
    static final int NONE = -1;
    private static final int LINE_BYTES = 64;
    /**
     * A long[] has a header of 16 bytes. With this padding the sets begin at cache lines if the array begins at one.
     */
    private static final int PADDING = 6;

    private static final int HEADER_BYTES = 16;

    private final long[] slots;
    private final int sets;
    private final long firstKey;
    private final long secondKey;
    private final long mask;

    SetAssociativeSlots(long maxBytes, long hashSeed) {
        if (maxBytes < 2 * LINE_BYTES || maxBytes > 1L << 33) {
            throw Allowed.refusal("maxBytes", maxBytes, "128 to 8 GiB");
        }
        sets = (int) (maxBytes / LINE_BYTES) - 1;
        slots = new long[PADDING + sets * WAYS];
        firstKey = SplitMix64.mix(hashSeed + SplitMix64.GOLDEN_GAMMA) | 1;
        secondKey = SplitMix64.mix(hashSeed + 2 * SplitMix64.GOLDEN_GAMMA) | 1;
        mask = SplitMix64.mix(hashSeed + 3 * SplitMix64.GOLDEN_GAMMA);
    }

    long bytes() {
        return HEADER_BYTES + 8L * slots.length;
    }

    /** The hash that places a partition. Without the seed nobody can find two partitions that collide. */
    long hash(long partition) {
        long hash = (partition ^ mask) * firstKey;
        return (hash ^ (hash >>> 32)) * secondKey;
    }

    /** The slot to look at first. */
    int home(long hash) {
        int set = (int) ((hash >>> 32) * sets >>> 32);
        return PADDING + (set << 3) + ((int) (hash >>> 24) & (WAYS - 1));
    }

    /** The i-th slot to look at, 0 &lt;= i &lt; {@link #WAYS}. */
    static int way(int home, int i) {
        int inSet = home - PADDING;
        return PADDING + ((inSet & -WAYS) | ((inSet + i) & (WAYS - 1)));
    }

    /** The number that distinguishes the partitions of a set: at most 24 bits, never 0. */
    static long fingerprint(long hash, int bits) {
        long print = (hash ^ (hash >>> 29)) & ((1L << bits) - 1);
        return print == 0 ? 1 : print;
    }

    /** The first slot; all slots are from {@code first()} to before {@code end()}. */
    int first() {
        return PADDING;
    }

    int end() {
        return slots.length;
    }

    long get(int slot) {
        return (long) SLOT.getOpaque(slots, slot);
    }

    boolean replace(int slot, long word, long by) {
        return SLOT.compareAndSet(slots, slot, word, by);
    }

    /**
     * Whether no other slot of the set has a word that begins with this fingerprint. Of two threads that put a
     * partition into two slots and then ask, at least one hears of the other: replacing and this reading are in one
     * order for all threads.
     *
     * @param shift the bits of a word below its fingerprint
     */
    boolean isOnly(int slot, int shift, long print) {
        long[] words = slots;
        int set = way(slot, -(slot - PADDING));
        // Without a branch for each: x - 1 is negative for 0 only, as x has at most 24 bits.
        long found = 0;
        for (int way = set; way < set + WAYS; way++) {
            found += ((long) SLOT.getVolatile(words, way) >>> shift ^ print) - 1 >>> 63;
        }
        return found <= 1;
    }

    /** The first other slot of the set whose word begins with this fingerprint, in the order of ways, or NONE. */
    int twin(int slot, int shift, long print) {
        for (int i = 1; i < WAYS; i++) {
            int other = way(slot, i);
            if ((long) SLOT.getVolatile(slots, other) >>> shift == print) {
                return other;
            }
        }
        return NONE;
    }

    /**
     * Empties the slots with nothing left and returns how many slots are still in use; slots that changed meanwhile
     * count.
     *
     * @param leftOf maps a word and the present instant to the debt or count that is left; captures nothing, so that
     *     the call allocates nothing
     */
    int sweep(long now, LongBinaryOperator leftOf) {
        int alive = 0;
        for (int slot = first(); slot < end(); slot++) {
            long word = get(slot);
            if (word == 0) {
                continue;
            }
            if (leftOf.applyAsLong(word, now) > 0 || !replace(slot, word, 0)) {
                alive++;
            }
        }
        return alive;
    }
}
