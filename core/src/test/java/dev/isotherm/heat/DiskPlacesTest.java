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
    private static final double ROUND_NANOS = 2e8;

    private final DiskPlaces places = new DiskPlaces(0);
    private long settledNanos;

    private void settleAfter(double nanos) {
        settledNanos += (long) nanos;
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
            now = settledNanos;
        }

        /**
         * @param reads how many
         * @param atATime the reads that would be under way on average if none waited for another
         * @param spread the part by which the service may take more or less
         * @param ofProcessors the part of the reads that take as long and do not wait for the disk
         * @param areSampled whether these are; else they have a thread and nothing is known of them
         */
        void serve(int reads, double atATime, double spread, double ofProcessors, boolean areSampled) {
            for (int read = 0; read < reads; read++) {
                now += -Math.log(1 - random.nextDouble()) * SERVICE_NANOS / atATime;
                while (now - settledNanos >= ROUND_NANOS) {
                    settleAfter(ROUND_NANOS);
                }
                while (!ends.isEmpty() && ends.peek() <= now) {
                    ends.poll();
                }
                int underWay = ends.size() + 1;
                double takes = SERVICE_NANOS * (1 + spread * (2 * random.nextDouble() - 1));
                if (random.nextDouble() < ofProcessors) {
                    ends.add(now + takes);
                    if (areSampled) {
                        places.add(underWay, 0, 0, 1);
                    }
                    continue;
                }
                int first = 0;
                for (int server = 1; server < freeAt.length; server++) {
                    first = freeAt[server] < freeAt[first] ? server : first;
                }
                freeAt[first] = Math.max(now, freeAt[first]) + takes;
                ends.add(freeAt[first]);
                long waited = (long) (freeAt[first] - now);
                places.add(underWay, 1, waited, 1);
            }
        }
    }

    /** The one that finds all places taken waits for the first that is free, which of many is soon. */
    @Property(tries = 150, seed = "101")
    void asManyAsTheDiskServesOrOneMore(
            @ForAll @IntRange(min = 1, max = 8) int servers,
            @ForAll @DoubleRange(min = 0.5, max = 0.8) double busy,
            @ForAll @DoubleRange(min = 0, max = 0.1) double spread,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(servers, seed).serve(20_000, busy * servers, spread, 0, true);
        int found = places.servedAtOnce();
        assertTrue(found >= servers && found <= servers + 1, () -> found + " of " + servers);
        assertTrue(servers > 3 || found == servers, () -> found + " of " + servers);
    }

    /** Where it has as many in service as there are of the others, or more. */
    @Property(tries = 150, seed = "102")
    void aDiskThatServesOneAtATimeIsFoundBesideReadsThatDoNotWait(
            @ForAll @DoubleRange(min = 0.3, max = 1) double atATime,
            @ForAll @DoubleRange(min = 0, max = 0.5) double ofProcessors,
            @ForAll boolean areSampled,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(1, seed).serve(20_000, atATime, 0.05, ofProcessors, areSampled);
        assertTrue(places.servedAtOnce() <= 1, () -> places.servedAtOnce() + " of 1");
        assertTrue(ofProcessors > 0.3 || places.servedAtOnce() == 1);
    }

    /** They would hide that those in the disk's way wait for each other, also where its queue is long. */
    @Property(tries = 150, seed = "105")
    void besideManyReadsThatDoNotWaitNothingIsKnown(
            @ForAll @DoubleRange(min = 1, max = 15) double atATime,
            @ForAll @DoubleRange(min = 0.1, max = 0.97) double ofDisk,
            @ForAll boolean areSampled,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(1, seed)
                .serve(
                        (int) (15_000 * (atATime + ofDisk)),
                        atATime + ofDisk,
                        0.05,
                        atATime / (atATime + ofDisk),
                        areSampled);
        assertTrue(places.servedAtOnce() <= 1, () -> places.servedAtOnce() + " of 1");
    }

    /** Half of all threads' time is waits then, but most of that is for the queue. */
    @Property(tries = 100, seed = "107")
    void aLongQueueHidesNobody(
            @ForAll @DoubleRange(min = 4.5, max = 9) double atATime,
            @ForAll @DoubleRange(min = 0.9, max = 0.97) double ofDisk,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(1, seed)
                .serve((int) (15_000 * (atATime + ofDisk)), atATime + ofDisk, 0.05, atATime / (atATime + ofDisk), true);
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce());
    }

    /** What was found beside them is not believed once they are gone. */
    @Property(tries = 100, seed = "106")
    void afterManyReadsThatDoNotWaitNothingIsKnownOfThem(
            @ForAll @DoubleRange(min = 3, max = 15) double atATime,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(1, seed).serve(20_000, atATime + 0.3, 0.05, atATime / (atATime + 0.3), true);
        Disk alone = new Disk(1, seed + 1);
        for (int part = 0; part < 100; part++) {
            alone.serve(40, 0.3, 0.05, 0, true);
            assertTrue(places.servedAtOnce() <= 1, () -> places.servedAtOnce() + " of 1");
        }
        assertEquals(1, places.servedAtOnce());
    }

    /** Of the reads of a table of which one in a hundred is sampled, each stands for a hundred. */
    @Test
    void readsCountAsOftenAsTheyAreNotSampled() {
        add(1, DiskPlaces.FEW);
        add(2, DiskPlaces.FEW);
        beside(1);
        assertEquals(2, places.servedAtOnce(), "one of eleven finds eight others");
        for (int i = 0; i < 5; i++) {
            beside(0.01);
        }
        assertEquals(2, places.servedAtOnce(), "it stands for a minute");
        for (int i = 0; i < 5; i++) {
            beside(0.01);
        }
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce(), "a hundred of a hundred and ten do");
    }

    /** Some ten seconds in which the disk serves eight tenths of a read on average, and of others one is sampled. */
    private void beside(double partSampled) {
        for (int round = 0; round < 100; round++) {
            places.add(9, 0, 0, partSampled);
            for (int i = 0; i < 10; i++) {
                places.add(1, 1, (long) SERVICE_NANOS, 1);
            }
            settleAfter(10 * SERVICE_NANOS / 0.8);
        }
    }

    /** As the times of a disk differ by themselves it may seem to serve fewer, and hardly more. */
    @Property(tries = 150, seed = "103")
    void aDiskWhoseServiceVariesServesNoMoreThanItDoes(
            @ForAll @IntRange(min = 1, max = 3) int servers,
            @ForAll @DoubleRange(min = 0.3, max = 0.8) double busy,
            @ForAll @DoubleRange(min = 0.1, max = 0.9) double spread,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        new Disk(servers, seed).serve(20_000, busy * servers, spread, 0, true);
        assertTrue(places.servedAtOnce() <= servers + 1, () -> places.servedAtOnce() + " of " + servers);
    }

    @Test
    void nothingUntilEnoughIsKnown() {
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce());
        add(2, DiskPlaces.FEW);
        add(1, DiskPlaces.FEW - 1);
        pass(3);
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce(), "of a read alone too little is");
        add(1, 1);
        add(2, DiskPlaces.FEW - 1);
        pass(3);
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce(), "of two at a time too little is");
        add(2, 1);
        pass(1.9);
        assertEquals(DiskPlaces.NOT_KNOWN, places.servedAtOnce(), "not for long enough");
        pass(0.5);
        assertEquals(2, places.servedAtOnce());
    }

    /** As many waits as an unbroken row of so many at a time. */
    private void add(int underWay, int waits) {
        for (int i = 0; i < waits; i++) {
            places.add(underWay, 1, (long) SERVICE_NANOS, 1);
        }
        settleAfter(waits * SERVICE_NANOS / underWay);
    }

    /** Nothing is read. */
    private void pass(double seconds) {
        for (int round = 0; round < 10 * seconds; round++) {
            settleAfter(1e8);
        }
    }

    @Test
    void noMoreThanAreToldApart() {
        add(1, DiskPlaces.FEW);
        for (int underWay = 2; underWay <= DiskPlaces.MOST + 5; underWay++) {
            add(underWay, DiskPlaces.FEW);
        }
        pass(3);
        assertEquals(DiskPlaces.MOST, places.servedAtOnce());
        assertThrows(IllegalArgumentException.class, () -> places.add(0, 1, 1000, 1));
    }

    /** As where one of two disks of an array has failed. */
    @Test
    void fewerOnceTheDiskServesFewer() {
        new Disk(4, 1).serve(10_000, 2.5, 0, 0, true);
        assertTrue(places.servedAtOnce() >= 4);
        new Disk(1, 2).serve(10_000, 0.7, 0, 0, true);
        assertEquals(1, places.servedAtOnce());
    }

    /** A clock that stands still, or goes back, changes nothing. */
    @Test
    void nothingIsSettledInNoTime() {
        add(1, DiskPlaces.FEW);
        add(2, DiskPlaces.FEW);
        pass(3);
        places.add(9, 0, 0, 0.01);
        places.settle(settledNanos);
        places.settle(settledNanos - 5);
        assertEquals(2, places.servedAtOnce());
    }
}
