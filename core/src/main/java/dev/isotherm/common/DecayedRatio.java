// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/**
 * An exponentially decayed ratio of two sums (misses to reads, nanoseconds to reads): an event of age t counts
 * e^(-t/time constant). The ratio starts at a prior value, such as that of a cold node, and is never unknown. One
 * thread writes; any thread may read {@link #value()}.
 */
public final class DecayedRatio {
    private double timeConstantNanos;
    private final double priorWeight;
    private long lastNanos;
    private double numerator;
    private double denominator;
    private volatile double value;

    /**
     * @param timeConstantNanos age at which an event counts 1/e, 1 or above
     * @param priorValue the ratio before anything was added, finite, 0 or above
     * @param priorWeight the denominator that the prior stands for (a number of reads), finite, above 0
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public DecayedRatio(long timeConstantNanos, double priorValue, double priorWeight, long nowNanos) {
        setTimeConstant(timeConstantNanos);
        Allowed.finiteNonNegative("priorValue", priorValue);
        if (!(priorWeight > 0 && priorWeight < Double.POSITIVE_INFINITY)) {
            throw Allowed.refusal("priorWeight", priorWeight, "a finite number above 0");
        }
        this.priorWeight = priorWeight;
        this.lastNanos = nowNanos;
        this.numerator = priorValue * priorWeight;
        this.denominator = priorWeight;
        this.value = priorValue;
    }

    /**
     * Has what was added before fade by another time constant from the last addition on. For the thread that adds.
     *
     * @param nanos age at which an event counts 1/e, 1 or above
     */
    final void setTimeConstant(long nanos) {
        if (nanos < 1) {
            throw Allowed.refusal("timeConstantNanos", nanos, "1 or above");
        }
        timeConstantNanos = nanos;
    }

    /**
     * Adds the events since the last addition. While the clock is behind its latest instant, nothing decays. After a
     * quiet time the old ratio keeps the weight of the prior, so that one read cannot overturn it.
     *
     * @throws IllegalArgumentException when a number is negative, NaN or infinite, or the denominator
     *     is 0 and the numerator is not; nothing is added then
     */
    public void add(double numerator, double denominator, long nowNanos) {
        Allowed.finiteNonNegative("numerator", numerator);
        Allowed.finiteNonNegative("denominator", denominator);
        if (denominator == 0 && numerator > 0) {
            throw Allowed.refusal("denominator", denominator, "above 0 with a numerator above 0");
        }
        decayTo(nowNanos);
        if (denominator == 0) {
            return;
        }
        this.numerator += numerator;
        this.denominator += denominator;
        value = this.numerator / this.denominator;
    }

    private void decayTo(long nowNanos) {
        long elapsed = nowNanos - lastNanos;
        if (elapsed <= 0) {
            return;
        }
        lastNanos = nowNanos;
        double kept = Math.max(Math.exp(-elapsed / timeConstantNanos), Math.min(1, priorWeight / denominator));
        numerator *= kept;
        denominator *= kept;
    }

    /** The ratio as of the last addition. */
    public double value() {
        return value;
    }

    /** The denominator as of the last addition, the prior's included. For the thread that adds. */
    double weight() {
        return denominator;
    }
}
