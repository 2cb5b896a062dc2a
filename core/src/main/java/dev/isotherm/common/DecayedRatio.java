// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/**
 * A ratio of two sums (misses to reads, nanoseconds to reads) in which what happened t ago counts
 * e^(-t/time constant). It starts at a stated value: cold, not unknown. One thread writes; any may
 * read {@link #value()}.
 */
public final class DecayedRatio {
    private final double timeConstantNanos;
    private final double priorWeight;
    private long lastNanos;
    private double numerator;
    private double denominator;
    private volatile double value;

    /**
     * @param timeConstantNanos age at which an event counts 1/e, 1 or above
     * @param priorValue the ratio before anything was added, finite, 0 or above
     * @param priorWeight how much was divided to get it (how many reads), finite, above 0
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public DecayedRatio(long timeConstantNanos, double priorValue, double priorWeight, long nowNanos) {
        if (timeConstantNanos < 1) {
            throw Allowed.refusal("timeConstantNanos", timeConstantNanos, "1 or above");
        }
        Allowed.finiteNonNegative("priorValue", priorValue);
        if (!(priorWeight > 0 && priorWeight < Double.POSITIVE_INFINITY)) {
            throw Allowed.refusal("priorWeight", priorWeight, "a finite number above 0");
        }
        this.timeConstantNanos = timeConstantNanos;
        this.priorWeight = priorWeight;
        this.lastNanos = nowNanos;
        this.numerator = priorValue * priorWeight;
        this.denominator = priorWeight;
        this.value = priorValue;
    }

    /**
     * Adds what happened up to now. A clock that went back counts as one that stood still until it
     * has caught up. After a quiet time the old ratio still weighs as much as the prior did, so that
     * one read cannot overturn it.
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
}
