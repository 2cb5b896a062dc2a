// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/**
 * Whether this process hardly gets to run, as the pauses between the guard's looks tell: a control group's quota is
 * used up, the machine is overcommitted, or garbage is collected most of the time. For one thread.
 */
/*
 * A single pause, however long, is over when it is noticed. Many of them are the state of the node: then the little
 * that runs is needed to coordinate, and each read that another replica serves instead leaves more of it.
 */
final class Starvation {
    /** The most that one pause counts for: a quota is granted anew each 100 ms or so. */
    static final long COUNTED_NANOS = 200_000_000;
    /** Time constant of the average of the parts. */
    static final long SPAN_NANOS = 1_000_000_000;
    /** The part of the time without running from which on the process is starved. */
    static final double BEGINS = 0.5;
    /** The part below which it is starved no longer. */
    static final double ENDS = 0.25;
    /**
     * The part from which on a node that is not starved itself is no help for one that is. It is as far below the half
     * as the average of equal quotas trembles, and more: of equal nodes none is taken to be better off.
     */
    static final double NO_HELP = 0.4;

    private double part;
    private boolean starved;

    /**
     * Notes the time since the last call.
     *
     * @param nanos the time that has passed, 0 or above
     * @param lostNanos how much of it this process did not run, 0 to nanos
     */
    void passed(long nanos, long lostNanos) {
        long lost = Math.min(lostNanos, COUNTED_NANOS);
        long counted = nanos - lostNanos + lost;
        double kept = Math.exp(-(double) counted / SPAN_NANOS);
        part = part * kept + (counted == 0 ? 0 : (1 - kept) * lost / counted);
        starved = part >= (starved ? ENDS : BEGINS);
    }

    boolean isStarved() {
        return starved;
    }

    /** Whether pauses are rare: what the node sees at one instant is then as at any other. */
    boolean isRunning() {
        return part < ENDS;
    }

    /** Whether other nodes should not count on this one: it is starved, or nearly. */
    boolean isNoHelp() {
        return starved || part >= NO_HELP;
    }
}
