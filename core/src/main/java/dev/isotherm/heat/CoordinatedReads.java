// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.DecayedRatio;

/**
 * Measures the reads of one table that this node coordinates, and decides which rate the other nodes are told. Used by
 * one thread.
 *
 * <p>Every coordinator's plan depends on the rates of all. The rate told therefore stays until the measured rate is off
 * by 12 %, and a node that has started tells none until its clients had time to return.
 */
public final class CoordinatedReads {
    private static final long TIME_CONSTANT_NANOS = 5_000_000_000L;
    /** Until then the rate is unknown. Drivers try a node that was down again each second to each minute. */
    private static final long FIRST_TOLD_NANOS = 10_000_000_000L;

    private static final double OFF = 1.12;
    /** Weighs the beginning, a rate of 0, next to nothing: a microsecond. */
    private static final double PRIOR_SECONDS = 1e-6;

    private final DecayedRatio perSecond;
    private final long startedNanos;
    private long lastNanos;
    private double toldPerSecond;
    private RequestRate told;

    public CoordinatedReads(long nowNanos) {
        this.perSecond = new DecayedRatio(TIME_CONSTANT_NANOS, 0, PRIOR_SECONDS, nowNanos);
        this.startedNanos = nowNanos;
        this.lastNanos = nowNanos;
    }

    /**
     * Adds the reads since the last call. Nothing is added while the clock stands still.
     *
     * @throws IllegalArgumentException unless reads is finite and 0 or above
     */
    public void add(double reads, long nowNanos) {
        long elapsed = nowNanos - lastNanos;
        if (elapsed <= 0) {
            return;
        }
        lastNanos = nowNanos;
        perSecond.add(reads, elapsed / 1e9, nowNanos);
        if (nowNanos - startedNanos >= FIRST_TOLD_NANOS && (told == null || isOff())) {
            toldPerSecond = perSecond.value();
            told = RequestRate.perSecond(toldPerSecond);
        }
    }

    private boolean isOff() {
        double measured = perSecond.value();
        return measured > OFF * toldPerSecond || measured * OFF < toldPerSecond;
    }

    /** The rate to tell the others; null while it is unknown. */
    public RequestRate rate() {
        return told;
    }
}
