// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.SplitMix64;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The least time of a sample of the last reads that other nodes served: that of a read that hits, with the messages to
 * and fro. Any thread may call; neither sending nor answering takes a lock, or allocates but for the first answer.
 */
public final class RoundTrips {
    /*
     * Reads that wait for a disk or in a queue say nothing of messages. One of the last 64 that did neither suffices,
     * which the least of them is unless 95 % of all reads wait.
     */
    private static final int WINDOW = 64;
    /*
     * One message in 16 is timed, and has one of 64 places. Ids are counted on, so that each 16th could always go to
     * the same node, or to none: they are mixed by the golden ratio.
     */
    private static final int TIMED_BITS = 4;
    private static final int SLOT_BITS = 6;
    /** Marks a place that is being taken; no id that is timed. */
    static final long TAKING = -1;

    private final AtomicLongArray ids = new AtomicLongArray(WINDOW);
    private final AtomicLongArray sentNanos = new AtomicLongArray(WINDOW);
    private final RecentTimes times = new RecentTimes(WINDOW);

    /** A read leaves for another node. One that goes to several nodes has one id, and is timed from the first on. */
    public void sent(long id, long nowNanos) {
        if (isTimed(id)) {
            int slot = slot(id);
            long present = ids.get(slot);
            // Of two that send at once, one has its message timed: else the first could get the other's beginning.
            if (present != id && present != TAKING && ids.compareAndSet(slot, present, TAKING)) {
                sentNanos.set(slot, nowNanos);
                ids.set(slot, id);
            }
        }
    }

    /** An answer of another node is here; those of messages that were not timed, or are forgotten, change nothing. */
    public void answered(long id, long nowNanos) {
        if (isTimed(id)) {
            int slot = slot(id);
            long sent = sentNanos.get(slot);
            if (ids.get(slot) == id && ids.compareAndSet(slot, id, 0)) {
                times.add(Math.max(1, nowNanos - sent));
            }
        }
    }

    /** Whether a message of that id is timed: the others need no clock, which costs more than this question. */
    public static boolean isTimed(long id) {
        // 0 marks an empty place.
        return id != 0 && id * SplitMix64.GOLDEN_GAMMA >>> Long.SIZE - TIMED_BITS == 0;
    }

    static int slot(long id) {
        return (int) (id * SplitMix64.GOLDEN_GAMMA << TIMED_BITS >>> Long.SIZE - SLOT_BITS);
    }

    /** Nanoseconds; NaN before the first. */
    public double leastNanos() {
        long least = times.least();
        return least == 0 ? Double.NaN : least;
    }
}
