// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class DiskPlacesTest {
    private static final double SERVICE_NANOS = 8e6;

    private final DiskPlaces places = new DiskPlaces(0);
    private long settledNanos;

    private void settle() {
        settledNanos += 1_000_000_000;
        places.settle(settledNanos);
    }

    /** Reads that come as by chance, each waiting once, at a disk with one queue. */
    private final class Disk {
        final SplittableRandom random;
        final double[] freeAt;
        final PriorityQueue<Double> ends = new PriorityQueue<>();
        double now;

        Disk(int servers, long seed) {
            random = new SplittableRandom(seed);
            freeAt = new double[servers];
        }

        /**
         * @param reads how many
         * @param atATime the reads that would be under way on average if none waited for another
         * @param spread the part by which the service may take more or less
         * @param ofProcessors the part of the reads that take as long and do not wait for the disk
         */
        void serve(int reads, double atATime, double spread, double ofProcessors) {
            for (int read = 0; read < reads; read++) {
                now += -Math.log(1 - random.nextDouble()) * SERVICE_NANOS / atATime;
                while (!ends.isEmpty() && ends.peek() <= now) {
                    ends.poll();
                }
                int underWay = ends.size() + 1;
                double takes = SERVICE_NANOS * (1 + spread * (2 * random.nextDouble() - 1));
                if (random.nextDouble() < ofProcessors) {
                    ends.add(now + takes);
                    places.add(underWay, 0, (long) takes, 0, 1);
                    continue;
                }
                int first = 0;
                for (int server = 1; server < freeAt.length; server++) {
                    first = freeAt[server] < freeAt[first] ? server : first;
                }
                freeAt[first] = Math.max(now, freeAt[first]) + takes;
                ends.add(freeAt[first]);
                long waited = (long) (freeAt[first] - now);
                places.add(underWay, 1, waited, waited, 1);
            }
            settle();
        }
    }

    /** The one that finds all places taken waits for the first that is free, which of many is soon. */
    @Property(tries = 300, seed = "101")
    void asManyAsTheDiskServesOrOneMore(
            @ForAll @IntRange(min = 1, max = 8) int servers,
            @ForAll @DoubleRange(min = 0.5, max = 0.8) double busy,
            @ForAll @DoubleRange(min = 0, max = 0.1) double spread,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(servers, seed).serve(20_000, busy * servers, spread, 0);
        int found = places.servedAtOnce();
        assertTrue(found >= servers && found <= servers + 1, () -> found + " of " + servers);
        assertTrue(servers > 3 || found == servers, () -> found + " of " + servers);
    }

    /** Where half of the reads beside which others begin are in the disk's way, or more. */
    @Property(tries = 300, seed = "102")
    void aDiskThatServesOneAtATimeIsFoundBesideReadsThatDoNotWait(
            @ForAll @DoubleRange(min = 0.3, max = 1) double atATime,
            @ForAll @DoubleRange(min = 0, max = 0.5) double ofProcessors,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(1, seed).serve(20_000, atATime, 0.05, ofProcessors);
        assertTrue(places.servedAtOnce() <= 1, () -> places.servedAtOnce() + " of 1");
        assertTrue(ofProcessors > 0.45 || places.servedAtOnce() == 1);
    }

    /** As many of them as there are: they would hide that the few in the disk's way wait for each other. */
    @Property(tries = 300, seed = "105")
    void besideManyReadsThatDoNotWaitNothingIsKnown(
            @ForAll @DoubleRange(min = 1, max = 15) double atATime,
            @ForAll @DoubleRange(min = 0.1, max = 0.7) double ofDisk,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(1, seed).serve(40_000, atATime + ofDisk, 0.05, atATime / (atATime + ofDisk));
        assertTrue(places.servedAtOnce() <= 1, () -> places.servedAtOnce() + " of 1");
    }

    /** Of the reads of a table of which one in a hundred is sampled, each stands for a hundred. */
    @Test
    void readsCountAsOftenAsTheyAreNotSampled() {
        for (int i = 0; i < DiskPlaces.FEW; i++) {
            places.add(1, 1, 1000, 1000, 1);
            places.add(2, 1, 1000, 1000, 1);
        }
        places.add(1, 0, 1000, 0, 0.01);
        settle();
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce(), "100 of 164 have not waited");
        add(1, DiskPlaces.FEW + 10);
        assertEquals(2, places.servedAtOnce());
    }

    /** As the times of a disk differ by themselves it may seem to serve fewer, and hardly more. */
    @Property(tries = 300, seed = "103")
    void aDiskWhoseServiceVariesServesNoMoreThanItDoes(
            @ForAll @IntRange(min = 1, max = 3) int servers,
            @ForAll @DoubleRange(min = 0.3, max = 0.8) double busy,
            @ForAll @DoubleRange(min = 0.1, max = 0.9) double spread,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(servers, seed).serve(20_000, busy * servers, spread, 0);
        assertTrue(places.servedAtOnce() <= servers + 1, () -> places.servedAtOnce() + " of " + servers);
    }

    @Test
    void nothingUntilEnoughIsKnown() {
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce());
        add(2, DiskPlaces.FEW);
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce(), "of a read alone");
        add(1, DiskPlaces.FEW - 1);
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce(), "too little is");
        add(1, 1);
        assertEquals(2, places.servedAtOnce());
    }

    private void add(int underWay, int waits) {
        for (int i = 0; i < waits; i++) {
            places.add(underWay, 1, 1000, 1000, 1);
        }
        settle();
    }

    @Test
    void noMoreThanAreToldApart() {
        for (int underWay = 1; underWay <= DiskPlaces.MOST + 5; underWay++) {
            add(underWay, DiskPlaces.FEW);
        }
        assertEquals(DiskPlaces.MOST, places.servedAtOnce());
        assertThrows(IllegalArgumentException.class, () -> places.add(0, 1, 1000, 1000, 1));
    }

    /** As where one of two disks of an array has failed. */
    @Test
    void fewerOnceTheDiskServesFewer() {
        new Disk(4, 1).serve(10_000, 2.5, 0, 0);
        assertTrue(places.servedAtOnce() >= 4);
        new Disk(1, 2).serve(10_000, 0.7, 0, 0);
        assertEquals(1, places.servedAtOnce());
    }
}
