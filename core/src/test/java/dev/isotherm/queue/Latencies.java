// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import java.util.Arrays;

/** How long writes have taken. */
final class Latencies {
    private long[] nanos = new long[1 << 16];
    private int count;

    void add(long tookNanos) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, nanos.length * 2);
        }
        nanos[count++] = tookNanos;
    }

    int count() {
        return count;
    }

    void clear() {
        count = 0;
    }

    /**
     * The latency that this fraction of the writes did not exceed; infinite if the fraction includes some of these that
     * are not done.
     */
    double millis(double quantile, int notDone) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int at = (int) (quantile * (count + notDone));
        return at < count ? sorted[at] / 1e6 : Double.POSITIVE_INFINITY;
    }
}
