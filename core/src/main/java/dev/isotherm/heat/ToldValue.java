// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * A measured value as it is told to others: it stays until the measured value is off by more than matters and by more
 * than its standard error. Used by one thread.
 */
final class ToldValue {
    /*
     * What is told decides the plans of every coordinator. The value is a mean that chance moves less and less, so the
     * steps by which it corrects what is told end by themselves. While it is not yet exact, a step of less than its
     * error would hardly bring what is told nearer to the truth.
     */
    private final double part;
    private final double least;
    private double told = Double.NaN;

    /**
     * @param part the part of the value by which it may be off
     * @param least no smaller difference is told
     */
    ToldValue(double part, double least) {
        this.part = part;
        this.least = least;
    }

    /**
     * Takes the value as it is measured now; the first is told.
     *
     * @param error its standard error, 0 where it is not known
     * @return what to tell
     */
    double measured(double value, double error) {
        double allowed = Math.max(Math.max(least, error), part * Math.max(value, told));
        // Also true before the first, when nothing is told: NaN.
        if (!(Math.abs(value - told) <= allowed)) {
            told = value;
        }
        return told;
    }

    /** What is told; NaN before the first value. */
    double told() {
        return told;
    }
}
