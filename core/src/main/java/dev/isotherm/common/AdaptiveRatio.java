// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/**
 * A ratio of two sums (misses to reads, nanoseconds to reads) as it is now, as exactly as can be told: the mean since
 * it changed last, or a {@link DecayedRatio} while more reads stand behind that one. One thread writes; any thread may
 * read {@link #value()}.
 */
public final class AdaptiveRatio {
    /*
     * A moving average over some seconds trembles by chance for ever; a mean over all that came since the last change
     * trembles less and less. Where the ratio keeps changing, as that of a node that warms up, the stretch since the
     * last change stays short, and the moving average is the better of the two.
     *
     * By the decay, chance spreads a moving average as if twice its weight stood behind a plain mean. The mean takes
     * its place only once twice as much again stands behind the mean: a ratio that falls slowly is told from one that
     * stays only after some seconds, and the mean of these lags behind.
     */
    private static final double WEIGHT_OF_DECAYED = 2;

    private static final double STEADY = 2 * WEIGHT_OF_DECAYED;
    /** Parts of the stream to a time constant: the instant of a change is known to one of them. */
    private static final int LUMPS = 10;

    private final DecayedRatio decayed;
    private final AdaptiveWindow window;
    private long lumpNanos;
    private final double leastInLump;
    private double inLump;
    private long lumpBegan;
    private volatile double value;

    /**
     * @param events how much the events vary
     * @param smoothingNanos the time constant of the moving average, 1 or above; it is known to a tenth of it when the
     *     ratio changed
     * @param leastInLump so large a denominator is needed until two neighbouring parts of the stream do not depend on
     *     each other, 0 or above
     */
    public AdaptiveRatio(
            EventVariance events,
            long smoothingNanos,
            double priorValue,
            double priorWeight,
            double leastInLump,
            long nowNanos) {
        this.decayed = new DecayedRatio(smoothingNanos, priorValue, priorWeight, nowNanos);
        this.window = new AdaptiveWindow(events);
        this.lumpNanos = smoothingNanos / LUMPS;
        this.leastInLump = leastInLump;
        this.lumpBegan = nowNanos;
        this.value = priorValue;
    }

    /**
     * Sets the time constant of the moving average; the ratio itself stays. For the thread that adds.
     *
     * @param nanos 1 or above
     */
    public void setSmoothing(long nanos) {
        decayed.setTimeConstant(nanos);
        lumpNanos = nanos / LUMPS;
    }

    /**
     * Adds the events since the last addition.
     *
     * @throws IllegalArgumentException as {@link DecayedRatio#add}; nothing is added then
     */
    public void add(double numerator, double denominator, long nowNanos) {
        boolean lumpIsFull = nowNanos - lumpBegan >= lumpNanos && inLump + denominator >= leastInLump;
        add(numerator, denominator, lumpIsFull, nowNanos);
    }

    /** As {@link #add(double, double, long)}, where what comes next does not depend on these events. */
    void add(double numerator, double denominator, boolean endsLump, long nowNanos) {
        decayed.add(numerator, denominator, nowNanos);
        window.add(numerator, denominator);
        inLump += denominator;
        if (endsLump) {
            window.endLump();
            inLump = 0;
            lumpBegan = nowNanos;
        }
        value = isSteady() ? window.value() : decayed.value();
    }

    private boolean isSteady() {
        return window.weight() >= STEADY * decayed.weight();
    }

    /** The ratio as of the last addition; the prior before the first. */
    public double value() {
        return value;
    }

    /** The ratio's standard error: by how much chance alone may spread it. Not thread safe. */
    public double error() {
        return window.error(value, isSteady() ? window.weight() : WEIGHT_OF_DECAYED * decayed.weight());
    }
}
