// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** The chance that an operation is admitted at a given debt: 1 up to the burst, and falling beyond it. */
final class BurstEdge {
    /*
     * Beyond the burst the chance halves with every further STEP of debt. Under an overload of X times the limit, the
     * debt settles where the chance is 1/X. With this shape, two replicas whose debts differ slightly disagree about
     * the same fraction of the operations they admit for every X; with a chance that falls linearly, the fraction would
     * grow with X. The operation's random number, the same on all replicas, decides the draw.
     *
     * Small limits have a larger burst: a queue of few places loses more of a Poisson stream.
     */

    /** The debt allowed above the burst: this many operations, but at most EXTRA_SECONDS. */
    private static final double EXTRA_OPERATIONS = 3;

    private static final double EXTRA_SECONDS = 0.3;
    static final double STEP_SECONDS = 0.025;
    /** Limits up to this one have a smaller step: their larger burst leaves less room in the first second. */
    static final int SMALL_LIMIT = 16;

    static final double SMALL_STEP_SECONDS = 0.01;
    private static final int FRACTION_BITS = 16;
    private static final int RANDOM_BITS = 32;

    private final double burst;
    private final double extra;
    private final double stepsPerUnit;
    private final double smallStepsPerUnit;

    BurstEdge(double burstSeconds, double unitsPerSecond) {
        burst = burstSeconds * unitsPerSecond;
        extra = EXTRA_SECONDS * unitsPerSecond;
        stepsPerUnit = (1 << FRACTION_BITS) / (STEP_SECONDS * unitsPerSecond);
        smallStepsPerUnit = (1 << FRACTION_BITS) / (SMALL_STEP_SECONDS * unitsPerSecond);
    }

    /**
     * @param debt of the partition, in units
     * @param period 1 / limit, in units
     */
    boolean admits(long debt, double period, int limit, int random) {
        if (debt <= 0) {
            return true;
        }
        double more = EXTRA_OPERATIONS * period;
        double beyond = debt - burst - (more < extra ? more : extra);
        return beyond <= 0
                || isDrawn((long) (beyond * (limit <= SMALL_LIMIT ? smallStepsPerUnit : stepsPerUnit)), random);
    }

    /** Whether the random number draws an admission: its chance is 2^-steps, interpolated between whole steps. */
    private static boolean isDrawn(long steps, int random) {
        long whole = steps >>> FRACTION_BITS;
        if (whole >= RANDOM_BITS) {
            return false;
        }
        long fraction = steps & ((1 << FRACTION_BITS) - 1);
        long chance = (1L << RANDOM_BITS) - (fraction << (RANDOM_BITS - FRACTION_BITS - 1)) >>> whole;
        return (random & 0xFFFFFFFFL) < chance;
    }
}
