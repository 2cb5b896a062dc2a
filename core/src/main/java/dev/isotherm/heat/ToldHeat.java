// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The heat that a node tells of one table: the one told before, until the measured one is off by more than matters.
 * Used by one thread.
 */
public final class ToldHeat {
    /** The part of a heat that matters: less than a step of its grid. */
    private static final double PART = 0.02;
    /** Miss ratios this close have nearly the same shares, whatever the floor. */
    private static final double LEAST_RATIO = 0.002;

    private final Heat.Kind kind;
    private final ToldValue value;
    private Heat told;

    /** @param kind what is measured */
    public ToldHeat(Heat.Kind kind) {
        this.kind = kind;
        this.value = new ToldValue(PART, kind == Heat.Kind.MISS_RATIO ? LEAST_RATIO : 0);
    }

    /**
     * Takes what is measured now; the first is told.
     *
     * @param measured misses per read for {@link Heat.Kind#MISS_RATIO}, nanoseconds for the other kinds
     * @param error its standard error, in the same unit; 0 where it is not known
     * @return the heat to tell
     */
    public Heat measured(double measured, double error) {
        double before = value.told();
        double now = value.measured(measured, error);
        if (now != before) {
            told = heat(now);
        }
        return told;
    }

    private Heat heat(double now) {
        switch (kind) {
            case MISS_RATIO:
                return Heat.missRatio(now);
            case COST:
                return Heat.costNanos(now);
            default:
                return Heat.readTimeNanos(now);
        }
    }
}
