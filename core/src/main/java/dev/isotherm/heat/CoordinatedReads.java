// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.EventVariance;

/**
 * Measures the reads of one table that this node coordinates, and decides which rate the other nodes are told. Used by
 * one thread.
 *
 * <p>Every coordinator's plan depends on the rates of all. The rate told therefore stays until the measured rate is off
 * by 6 %, and a node that has started tells none until its clients had time to return.
 */
public final class CoordinatedReads {
    private static final long TIME_CONSTANT_NANOS = 5_000_000_000L;
    /** Time for which the rate is unknown: drivers try a node that was down again each second to each minute. */
    private static final long FIRST_TOLD_NANOS = 5_000_000_000L;

    private static final double PART = 0.06;
    /** Fewer reads than this are told as none: so few need no balance, and hardly tell chance from change. */
    private static final double LEAST_PER_SECOND = 0.5;
    /** Weighs the beginning, a rate of 0, next to nothing: a microsecond. */
    private static final double PRIOR_SECONDS = 1e-6;

    private final AdaptiveRatio perSecond;
    private final long startedNanos;
    private long lastNanos;
    private final ToldValue toldPerSecond = new ToldValue(PART, 0);
    private RequestRate told;

    public CoordinatedReads(long nowNanos) {
        this.perSecond = new AdaptiveRatio(EventVariance.OF_COUNT, TIME_CONSTANT_NANOS, 0, PRIOR_SECONDS, 0, nowNanos);
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
        double seconds = elapsed / 1e9;
        perSecond.add(reads, seconds, nowNanos);
        if (nowNanos - startedNanos < FIRST_TOLD_NANOS) {
            return;
        }
        double before = toldPerSecond.told();
        double measured = perSecond.value() < LEAST_PER_SECOND ? 0 : perSecond.value();
        double now = toldPerSecond.measured(measured, perSecond.error());
        if (now != before) {
            told = RequestRate.perSecond(now);
        }
    }

    /** The time since the last call counts for nothing: the process stood still in it, or nobody counted. */
    public void skip(long nowNanos) {
        lastNanos = nowNanos;
    }

    /** The rate to tell the others; null while it is unknown. */
    public RequestRate rate() {
        return told;
    }
}
