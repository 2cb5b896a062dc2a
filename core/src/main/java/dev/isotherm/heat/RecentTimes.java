// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The last times of a kind of read. Any thread may add one, without a lock and, but for the first, without an
 * allocation; one thread asks for their quartiles.
 */
final class RecentTimes {
    private final int window;
    /** Null before the first time: of most tables there is none. */
    private final AtomicReference<AtomicLongArray> times = new AtomicReference<>();

    private final AtomicLong added = new AtomicLong();
    private long[] sorted = {};

    /** @param window how many times are kept, a power of two */
    RecentTimes(int window) {
        this.window = window;
    }

    void add(long nanos) {
        AtomicLongArray kept = times.get();
        (kept == null ? begun() : kept).set((int) (added.getAndIncrement() & (window - 1)), nanos);
    }

    private AtomicLongArray begun() {
        times.compareAndSet(null, new AtomicLongArray(window));
        return times.get();
    }

    /** The times kept. A time that is being added may count as the one that it replaces, 0 at first. */
    int count() {
        return (int) Math.min(window, added.get());
    }

    /** The time that a quarter of the times kept do not exceed, nanoseconds; 0 without a time. */
    long lowerQuartile() {
        return quartile(1);
    }

    /** The time that three quarters of the times kept do not exceed, nanoseconds; 0 without a time. */
    long upperQuartile() {
        return quartile(3);
    }

    private long quartile(int quarters) {
        int count = count();
        if (count == 0) {
            return 0;
        }
        AtomicLongArray kept = times.get();
        sorted = sorted.length == 0 ? new long[window] : sorted;
        for (int i = 0; i < count; i++) {
            sorted[i] = kept.get(i);
        }
        Arrays.sort(sorted, 0, count);
        return sorted[quarters * (count - 1) / 4];
    }

    /** The least of the times kept, nanoseconds, of those above 0, as a time being added may be; 0 without one. */
    long least() {
        int count = count();
        AtomicLongArray kept = times.get();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            long time = kept.get(i);
            least = time > 0 ? Math.min(least, time) : least;
        }
        return least == Long.MAX_VALUE ? 0 : least;
    }
}
