// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.SplitMix64;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Tells the first read of a partition among about a hundred sampled ones from its repetitions. Thread safe, without
 * locks; nothing is allocated for a read.
 */
final class FirstReads {
    /*
     * A partition that gets a third of a node's reads hits nearly always. Counted like any other it lowers the node's
     * cost per read by a third, and so draws more reads of all other partitions to the node that is busiest already.
     * The sampled reads are therefore taken in rounds, and in each round a partition counts once.
     *
     * A round's partitions are marked in slots by a hash of partition and round, so that an old mark is never taken for
     * a new one and nothing has to be cleared. Two partitions with the same slot may each count twice; there are
     * several slots for each read of a round.
     */
    private static final int ROUND = 128;
    private static final int SLOT_BITS = 9;

    private final AtomicLongArray slots = new AtomicLongArray(1 << SLOT_BITS);
    private final AtomicLong reads = new AtomicLong();

    /** @param token the partition's token */
    boolean isFirst(long token) {
        long round = reads.getAndIncrement() / ROUND;
        long mark = SplitMix64.mix(SplitMix64.mix(token) + (round + 1) * SplitMix64.GOLDEN_GAMMA);
        int slot = (int) (mark >>> Long.SIZE - SLOT_BITS);
        if (slots.get(slot) == mark) {
            return false;
        }
        slots.set(slot, mark);
        return true;
    }
}
