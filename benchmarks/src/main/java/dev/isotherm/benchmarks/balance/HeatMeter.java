// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.common.SamplePauses;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.CoordinatedReads;
import dev.isotherm.heat.CountedHeat;
import dev.isotherm.heat.DiskPlaces;
import dev.isotherm.heat.DiskReads;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.SeenMisses;
import java.util.SplittableRandom;

/** A node's own heat, from its reads, and the rate at which it coordinates reads; begins with the node's process. */
abstract class HeatMeter {
    /** The number of reads under way where nobody counts them. */
    static final int NOT_COUNTED = 0;

    /** The default of the setting. */
    private static final long SMOOTHING_NANOS = 3 * Simulation.SECOND;

    private final CoordinatedReads coordinated;
    private final CoordinatedReads local;
    private final SamplePauses pauses = new SamplePauses();
    final SeenMisses seen = new SeenMisses(Node.settings());
    private long requests;
    private long reads;

    private HeatMeter(long nowNanos) {
        coordinated = new CoordinatedReads(nowNanos);
        local = new CoordinatedReads(nowNanos);
    }

    static HeatMeter of(Scenario scenario, SplittableRandom random, long nowNanos) {
        BalanceSettings settings = Node.settings();
        switch (scenario.source) {
            case DISK:
                return new OfDisk(settings, random, nowNanos);
            case READ_TIME:
                return new Counted(CountedHeat.ofReadTimes(SMOOTHING_NANOS, settings, nowNanos), true, nowNanos);
            default:
                return new Counted(CountedHeat.ofMisses(SMOOTHING_NANOS, nowNanos), false, nowNanos);
        }
    }

    /** This node has coordinated a request. */
    final void coordinated() {
        requests++;
    }

    /**
     * This node has served a read of a partition.
     *
     * @param diskReads the reads of the disk that it took, 0 for a hit
     * @param nanos the time that it took, without its wait for a thread
     * @param underWay the reads that had a thread when it got one, itself included; {@link #NOT_COUNTED} of a copy
     */
    final void served(int partition, int diskReads, long nanos, int underWay) {
        reads++;
        add(partition, diskReads, nanos, underWay);
    }

    /** Brings the heat up to date. */
    final void settle(long nowNanos) {
        if (pauses.endsPause(nowNanos)) {
            coordinated.skip(nowNanos);
            local.skip(nowNanos);
            skip(nowNanos);
        } else {
            coordinated.add(requests, nowNanos);
            local.add(reads, nowNanos);
            settle(reads, nowNanos);
        }
        requests = 0;
        reads = 0;
    }

    /** The rate to tell; null while it is not known. */
    final RequestRate rate() {
        return coordinated.rate();
    }

    /** The rate of the reads that this node serves; null while it is not known. */
    final RequestRate localRate() {
        return local.rate();
    }

    /** {@link DiskPlaces#servedAtOnce}. */
    int servedAtOnce() {
        return DiskPlaces.NOT_KNOWN;
    }

    abstract void add(int partition, int diskReads, long nanos, int underWay);

    abstract void settle(long newReads, long nowNanos);

    abstract void skip(long nowNanos);

    abstract Heat heat();

    /** Misses, or times. */
    private static final class Counted extends HeatMeter {
        private final CountedHeat counted;
        private final boolean addsTimes;
        private double sum;

        Counted(CountedHeat counted, boolean addsTimes, long nowNanos) {
            super(nowNanos);
            this.counted = counted;
            this.addsTimes = addsTimes;
        }

        @Override
        void add(int partition, int diskReads, long nanos, int underWay) {
            sum += addsTimes ? nanos : Math.min(1, diskReads);
        }

        @Override
        void settle(long newReads, long nowNanos) {
            counted.add(sum, newReads, nowNanos);
            if (addsTimes) {
                seen.addTimes(sum, newReads);
            } else {
                seen.addLookUps(sum, newReads);
            }
            sum = 0;
        }

        @Override
        void skip(long nowNanos) {
            sum = 0;
        }

        @Override
        Heat heat() {
            return counted.heat();
        }
    }

    private static final class OfDisk extends HeatMeter {
        private final DiskReads disk;
        private final DiskPlaces places;
        private final SplittableRandom random;

        OfDisk(BalanceSettings settings, SplittableRandom random, long nowNanos) {
            super(nowNanos);
            this.random = random;
            places = new DiskPlaces(nowNanos);
            disk = new DiskReads(SMOOTHING_NANOS, settings.coldReadNanos(), nowNanos);
        }

        @Override
        int servedAtOnce() {
            return places.servedAtOnce();
        }

        @Override
        void add(int partition, int diskReads, long nanos, int underWay) {
            if (disk.isSampled(random.nextDouble())) {
                disk.add(partition, diskReads, nanos);
                if (underWay != NOT_COUNTED) {
                    places.add(underWay, diskReads, disk.waitedNanos(nanos), disk.partSampled());
                }
            }
        }

        @Override
        void settle(long newReads, long nowNanos) {
            places.settle(nowNanos);
            disk.settle(newReads, nowNanos);
            seen.addSampled(disk);
        }

        @Override
        void skip(long nowNanos) {
            disk.skip(nowNanos);
        }

        @Override
        Heat heat() {
            return disk.heat();
        }
    }
}
