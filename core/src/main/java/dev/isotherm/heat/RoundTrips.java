// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The least time of a sample of the last reads that other nodes served: that of a read that hits, with the messages to
 * and fro. Any thread may call; neither sending nor answering takes a lock or allocates.
 */
public final class RoundTrips {
    /*
     * Reads that wait for a disk or in a queue say nothing of messages. One of the last 64 that did neither suffices,
     * which the least of them is unless 95 % of all reads wait.
     */
    private static final int WINDOW = 64;
    /** One message in so many is timed. */
    private static final int ONE_IN = 16;

    private final AtomicLongArray ids = new AtomicLongArray(WINDOW);
    private final AtomicLongArray sentNanos = new AtomicLongArray(WINDOW);
    private final RecentTimes times = new RecentTimes(WINDOW);

    /** A read leaves for another node; of each id there is one message at a time. */
    public void sent(long id, long nowNanos) {
        if (id % ONE_IN == 0) {
            int slot = slot(id);
            ids.set(slot, 0);
            sentNanos.set(slot, nowNanos);
            ids.set(slot, id);
        }
    }

    /** An answer of another node is here; those of messages that were not timed, or are forgotten, change nothing. */
    public void answered(long id, long nowNanos) {
        if (id % ONE_IN == 0 && id != 0) {
            int slot = slot(id);
            long sent = sentNanos.get(slot);
            if (ids.get(slot) == id && ids.compareAndSet(slot, id, 0)) {
                times.add(Math.max(0, nowNanos - sent));
            }
        }
    }

    private static int slot(long id) {
        return (int) (id / ONE_IN & WINDOW - 1);
    }

    /** Nanoseconds; NaN before the first. For one thread. */
    public double leastNanos() {
        return times.count() == 0 ? Double.NaN : times.least();
    }
}
