// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** What a sum of {@link ServedTime} means between two decays: a part of the threads' time. Immutable. */
final class ServedScale {
    /** Before the first decay: every part is 0. */
    static final ServedScale NONE = new ServedScale(0, 0, 0.5, 1, 0);

    /**
     * The part of the threads' time that counts as served where less was: after a time with hardly any operation one
     * alone would be nearly all that was served.
     */
    private static final double LEAST_SERVED = 1.0 / 64;

    private final long atNanos;
    private final double leftSeconds;
    private final int threads;
    private final double servedNanos;

    /**
     * @param nowNanos when the sums were decayed
     * @param seconds since the decay before
     * @param kept the part of the sums that was kept, below 1
     * @param threads the threads of the pool
     * @param servedNanos the sum of all partitions before the decay
     */
    ServedScale(long nowNanos, double seconds, double kept, int threads, double servedNanos) {
        this.atNanos = nowNanos;
        // What is left after a decay stands for so many seconds; what comes until the next one is added whole.
        this.leftSeconds = seconds * kept / (1 - kept);
        this.threads = threads;
        this.servedNanos = Math.max(servedNanos, LEAST_SERVED * threads * (seconds + leftSeconds) * 1e9);
    }

    /** The part of the threads' time that is this sum, 0 to 1, as if no time had passed since the decay. */
    double shareAtLook(long nanos) {
        return share(nanos, atNanos);
    }

    /** The part of the threads' time that is this sum, 0 to 1. */
    double share(long nanos, long nowNanos) {
        if (leftSeconds == 0) {
            return 0;
        }
        double seconds = leftSeconds + Math.max(0, nowNanos - atNanos) * 1e-9;
        return Math.min(1, nanos * 1e-9 / seconds / threads);
    }

    /** The part of the time served to all that is this sum, 0 to 1; of a 64th of the threads' time, if that is more. */
    double part(long nanos) {
        return servedNanos > 0 ? Math.min(1, nanos / servedNanos) : 0;
    }
}
