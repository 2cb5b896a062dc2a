// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import java.util.Arrays;

/**
 * An {@link AdaptiveRatio} of two sums that one short disturbance hardly moves: for times, of which a single pause of a
 * process spoils a few. One thread writes; any thread may read {@link #value()}.
 */
public final class SteadyRatio {
    /*
     * The median of means: the events are gathered into lumps, the ratio of a lump is replaced by the median of the
     * last five, and that is averaged. A disturbance that touches at most two of five lumps in a row leaves no trace.
     * A lasting change arrives three lumps later.
     */
    private static final int LUMPS = 5;
    private static final double LEAST = 8;

    private final AdaptiveRatio ratio;
    private final double[] lumps = new double[LUMPS];
    private int count;
    private double numerator;
    private double denominator;

    /** As {@link DecayedRatio#DecayedRatio}; a lump holds a denominator (a number of reads) of 8 or more. */
    public SteadyRatio(long timeConstantNanos, double priorValue, double priorWeight, long nowNanos) {
        ratio = new AdaptiveRatio(EventVariance.OF_TIME, timeConstantNanos, priorValue, priorWeight, 0, nowNanos);
    }

    /** As {@link AdaptiveRatio#setSmoothing}. */
    public void setSmoothing(long nanos) {
        ratio.setSmoothing(nanos);
    }

    /**
     * Adds the events since the last addition.
     *
     * @throws IllegalArgumentException when a number is negative, NaN or infinite; nothing is added then
     */
    public void add(double numerator, double denominator, long nowNanos) {
        Allowed.finiteNonNegative("numerator", numerator);
        Allowed.finiteNonNegative("denominator", denominator);
        this.numerator += numerator;
        this.denominator += denominator;
        if (this.denominator < LEAST) {
            return;
        }
        lumps[count++ % LUMPS] = this.numerator / this.denominator;
        // Medians that share lumps depend on each other.
        ratio.add(median() * this.denominator, this.denominator, count % LUMPS == 0, nowNanos);
        this.numerator = 0;
        this.denominator = 0;
    }

    private double median() {
        double[] sorted = Arrays.copyOf(lumps, Math.min(count, LUMPS));
        Arrays.sort(sorted);
        return sorted[(sorted.length - 1) / 2];
    }

    /** The ratio as of the last whole lump. */
    public double value() {
        return ratio.value();
    }

    /** As {@link AdaptiveRatio#error()}. */
    public double error() {
        return ratio.error();
    }
}
