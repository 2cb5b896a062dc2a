// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The 99th percentile of a replica's round trips over about the last minute in use. Any thread records; one thread
 * {@linkplain #fold folds}.
 */
final class RoundTripTail {
    /*
     * A histogram with four buckets to the octave from 64 microseconds to 8.6 s. A bucket is at most a quarter wider
     * than its lower edge, and the percentile is the upper edge of its bucket: too high by at most a quarter. A fold
     * takes the counts since the last one into decayed counts.
     */
    private static final int BUCKETS = 68;
    private static final int LEAST_EXPONENT = 16;
    private static final double QUANTILE = 0.99;
    /** With fewer answers than this the percentile would be the largest round trip or nearly so. */
    private static final double LEAST_ANSWERS = 100;

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] counts = new int[BUCKETS];
    private final double[] decayed = new double[BUCKETS];
    private volatile long tailNanos = -1;

    void record(long roundTripNanos) {
        COUNT.getAndAdd(counts, bucketOf(roundTripNanos), 1);
    }

    /**
     * Takes the round trips since the last fold into account.
     *
     * @param kept the factor by which older round trips count less from now on, 0 to 1
     * @param weight how much each of the new ones counts, 0 to 1
     */
    void fold(double kept, double weight) {
        double sum = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            decayed[bucket] = decayed[bucket] * kept + weight * (int) COUNT.getAndSet(counts, bucket, 0);
            sum += decayed[bucket];
        }
        if (sum < LEAST_ANSWERS) {
            // A percentile known earlier stays known: a quiet time teaches nothing.
            return;
        }
        double above = sum * (1 - QUANTILE);
        int bucket = BUCKETS - 1;
        for (double seen = decayed[bucket]; seen <= above && bucket > 0; seen += decayed[bucket]) {
            bucket--;
        }
        tailNanos = upperEdgeNanos(bucket);
    }

    /** The 99th percentile in nanoseconds, as of the last fold; -1 before a hundred answers. */
    long nanos() {
        return tailNanos;
    }

    static int bucketOf(long nanos) {
        if (nanos < 1L << LEAST_EXPONENT) {
            return 0;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int quarter = (int) (nanos >> exponent - 2) & 3;
        return Math.min(BUCKETS - 1, (exponent - LEAST_EXPONENT) * 4 + quarter);
    }

    static long upperEdgeNanos(int bucket) {
        return (5L + (bucket & 3)) << (bucket >> 2) + LEAST_EXPONENT - 2;
    }
}
