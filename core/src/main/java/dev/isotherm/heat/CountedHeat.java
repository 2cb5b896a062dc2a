// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.EventVariance;
import dev.isotherm.common.SteadyRatio;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;

/** A node's heat for one table by the growth of two counters, as it tells it. Used by one thread. */
public final class CountedHeat {
    /** A started node counts as cold until about this many of its own reads outweigh the cold value. */
    private static final double COLD_READS = 20;

    private final double most;
    private final Adder adder;
    private final LongConsumer smoothing;
    private final DoubleSupplier value;
    private final DoubleSupplier error;
    private final ToldHeat told;
    private Heat heat;

    /** Adds a numerator and a denominator at an instant. */
    private interface Adder {
        void add(double numerator, double denominator, long nowNanos);
    }

    private CountedHeat(
            Heat.Kind kind,
            double most,
            Adder adder,
            LongConsumer smoothing,
            DoubleSupplier value,
            DoubleSupplier error) {
        this.most = most;
        this.adder = adder;
        this.smoothing = smoothing;
        this.value = value;
        this.error = error;
        this.told = new ToldHeat(kind);
        this.heat = told.measured(value.getAsDouble(), 0);
    }

    /**
     * Misses over look-ups; every read misses at first.
     *
     * @param smoothingNanos the time constant of the moving average, 1 or above
     */
    public static CountedHeat ofMisses(long smoothingNanos, long nowNanos) {
        AdaptiveRatio ratio = new AdaptiveRatio(EventVariance.OF_RATIO, smoothingNanos, 1, COLD_READS, 0, nowNanos);
        // Counters read one after another may overtake each other.
        return new CountedHeat(Heat.Kind.MISS_RATIO, 1, ratio::add, ratio::setSmoothing, ratio::value, ratio::error);
    }

    /**
     * Nanoseconds of reads over reads; each takes as long as a cold one at first.
     *
     * @param smoothingNanos the time constant of the moving average, 1 or above
     */
    public static CountedHeat ofReadTimes(long smoothingNanos, BalanceSettings settings, long nowNanos) {
        SteadyRatio ratio = new SteadyRatio(smoothingNanos, settings.coldReadNanos(), COLD_READS, nowNanos);
        return new CountedHeat(
                Heat.Kind.READ_TIME,
                Double.POSITIVE_INFINITY,
                ratio::add,
                ratio::setSmoothing,
                ratio::value,
                ratio::error);
    }

    /** Sets the time constant of the moving average, nanoseconds, 1 or above; the heat itself stays. */
    public void setSmoothing(long nanos) {
        smoothing.accept(nanos);
    }

    /**
     * Adds what the counters have grown by since the last call; nothing without reads.
     *
     * @param numerator misses or nanoseconds, 0 or above
     * @param reads look-ups or reads, 0 or above
     */
    public void add(double numerator, double reads, long nowNanos) {
        if (reads > 0) {
            adder.add(numerator, reads, nowNanos);
            heat = told.measured(Math.min(most, value.getAsDouble()), error.getAsDouble());
        }
    }

    /** The heat as the node tells it. */
    public Heat heat() {
        return heat;
    }
}
