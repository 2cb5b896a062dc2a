// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.EventVariance;
import dev.isotherm.common.SteadyRatio;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.CoordinatedReads;
import dev.isotherm.heat.DiskReads;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.ToldHeat;
import java.util.SplittableRandom;

/** A node's own heat, from its reads, and the rate at which it coordinates reads; begins with the node's process. */
abstract class HeatMeter {
    private static final long SMOOTHING_NANOS = 3 * Simulation.SECOND;
    private static final double COLD_READS = 20;

    private final CoordinatedReads coordinated;
    private long requests;
    private long reads;

    private HeatMeter(long nowNanos) {
        coordinated = new CoordinatedReads(nowNanos);
    }

    static HeatMeter of(HeatSource source, BalanceSettings settings, SplittableRandom random, long nowNanos) {
        switch (source) {
            case DISK:
                return new OfDisk(settings, random, nowNanos);
            case READ_TIME:
                return new OfReadTime(settings, nowNanos);
            default:
                return new OfCache(nowNanos);
        }
    }

    /** This node has coordinated a request. */
    final void coordinated() {
        requests++;
    }

    /** This node has served a read of a partition in so many nanoseconds, without its wait for a thread. */
    final void served(int partition, boolean missed, long nanos) {
        reads++;
        add(partition, missed, nanos);
    }

    /** Brings the heat up to date. */
    final void settle(long nowNanos) {
        coordinated.add(requests, nowNanos);
        requests = 0;
        settle(reads, nowNanos);
        reads = 0;
    }

    /** The rate to tell; null while it is not known. */
    final RequestRate rate() {
        return coordinated.rate();
    }

    abstract void add(int partition, boolean missed, long nanos);

    abstract void settle(long newReads, long nowNanos);

    abstract Heat heat();

    private static final class OfCache extends HeatMeter {
        private final AdaptiveRatio ratio;
        private final ToldHeat told = new ToldHeat(Heat.Kind.MISS_RATIO);
        private Heat heat;
        private long missed;

        OfCache(long nowNanos) {
            super(nowNanos);
            ratio = new AdaptiveRatio(EventVariance.OF_RATIO, SMOOTHING_NANOS, 1, COLD_READS, 0, nowNanos);
            heat = told.measured(ratio.value(), 0);
        }

        @Override
        void add(int partition, boolean miss, long nanos) {
            missed += miss ? 1 : 0;
        }

        @Override
        void settle(long newReads, long nowNanos) {
            if (newReads > 0) {
                ratio.add(missed, newReads, nowNanos);
                heat = told.measured(Math.min(1, ratio.value()), ratio.error());
            }
            missed = 0;
        }

        @Override
        Heat heat() {
            return heat;
        }
    }

    private static final class OfReadTime extends HeatMeter {
        private final SteadyRatio ratio;
        private final ToldHeat told = new ToldHeat(Heat.Kind.READ_TIME);
        private Heat heat;
        private double sum;

        OfReadTime(BalanceSettings settings, long nowNanos) {
            super(nowNanos);
            ratio = new SteadyRatio(SMOOTHING_NANOS, settings.coldReadNanos(), COLD_READS, nowNanos);
            heat = told.measured(ratio.value(), 0);
        }

        @Override
        void add(int partition, boolean missed, long nanos) {
            sum += nanos;
        }

        @Override
        void settle(long newReads, long nowNanos) {
            if (newReads > 0) {
                ratio.add(sum, newReads, nowNanos);
                heat = told.measured(ratio.value(), ratio.error());
            }
            sum = 0;
        }

        @Override
        Heat heat() {
            return heat;
        }
    }

    private static final class OfDisk extends HeatMeter {
        private final DiskReads disk;
        private final SplittableRandom random;

        OfDisk(BalanceSettings settings, SplittableRandom random, long nowNanos) {
            super(nowNanos);
            this.random = random;
            disk = new DiskReads(SMOOTHING_NANOS, settings.coldReadNanos(), nowNanos);
        }

        @Override
        void add(int partition, boolean missed, long nanos) {
            if (disk.isSampled(random.nextDouble())) {
                disk.add(partition, missed ? 1 : 0, nanos);
            }
        }

        @Override
        void settle(long newReads, long nowNanos) {
            disk.settle(newReads, nowNanos);
        }

        @Override
        Heat heat() {
            return disk.heat();
        }
    }
}
