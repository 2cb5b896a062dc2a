// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** The last times of a kind of read. Any thread may add one; one thread asks for their quartile. */
final class RecentTimes {
    private final AtomicLongArray times;
    private final AtomicLong added = new AtomicLong();
    private final long[] sorted;

    /** @param window how many times are kept, a power of two */
    RecentTimes(int window) {
        times = new AtomicLongArray(window);
        sorted = new long[window];
    }

    void add(long nanos) {
        times.set((int) (added.getAndIncrement() & (times.length() - 1)), nanos);
    }

    /** The times kept. A time that is being added may count as the one that it replaces, 0 at first. */
    int count() {
        return (int) Math.min(times.length(), added.get());
    }

    /** The time that a quarter of the times kept do not exceed, nanoseconds; 0 without a time. */
    long lowerQuartile() {
        int count = count();
        for (int i = 0; i < count; i++) {
            sorted[i] = times.get(i);
        }
        Arrays.sort(sorted, 0, count);
        return count == 0 ? 0 : sorted[(count - 1) / 4];
    }

    /** The least of the times kept, nanoseconds, of those above 0, as a time being added may be; 0 without one. */
    long least() {
        int count = count();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            long time = times.get(i);
            least = time > 0 ? Math.min(least, time) : least;
        }
        return least == Long.MAX_VALUE ? 0 : least;
    }
}
