// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SlowDiskTest {
    private static long nanosToRead(SlowDisk disk, int readers, long serviceNanos) throws InterruptedException {
        Thread[] threads = new Thread[readers];
        long start = System.nanoTime();
        for (int i = 0; i < readers; i++) {
            threads[i] = new Thread(() -> disk.read(serviceNanos), "ReadStage-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return System.nanoTime() - start;
    }

    @Test
    void noMoreReadsThanParallelAreServedAtOnce() throws InterruptedException {
        long service = TimeUnit.MILLISECONDS.toNanos(10);
        // Six reads, two at a time, make three rounds: a shorter time would show an unbounded queue.
        assertTrue(nanosToRead(new SlowDisk(2), 6, service) >= 3 * service);
    }

    @Test
    void aFastDiskCountsButDoesNotWait() throws InterruptedException {
        SlowDisk disk = new SlowDisk(1);
        disk.setSlowness(0);
        assertTrue(nanosToRead(disk, 4, TimeUnit.HOURS.toNanos(1)) < TimeUnit.HOURS.toNanos(1));
        assertEquals(4, disk.reads());
    }

    @Test
    void aDiskThatIsSlowerTakesItsServiceTimeSoManyTimes() throws InterruptedException {
        SlowDisk disk = new SlowDisk(1);
        disk.setSlowness(20);
        assertTrue(nanosToRead(disk, 2, TimeUnit.MILLISECONDS.toNanos(1)) >= TimeUnit.MILLISECONDS.toNanos(40));
        assertThrows(IllegalArgumentException.class, () -> disk.setSlowness(-1));
    }

    @Test
    void aDiskThatHangsAnswersNothingUntilItIsToldHowFastItIs() throws InterruptedException {
        SlowDisk disk = new SlowDisk(2);
        disk.hang();
        disk.hang();
        AtomicInteger answered = new AtomicInteger();
        Thread[] readers = new Thread[5];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = new Thread(
                    () -> {
                        disk.read(1);
                        answered.incrementAndGet();
                    },
                    "ReadStage-" + i);
            readers[i].start();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (disk.waiting() != 3 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        readers[0].join(50);
        assertEquals(0, answered.get());
        disk.setSlowness(1);
        for (Thread reader : readers) {
            reader.join();
        }
        assertEquals(5, answered.get());
    }

    @Test
    void onlyThreadsThatServeReadsUseTheDisk() {
        SlowDisk disk = new SlowDisk(1);
        disk.read(TimeUnit.HOURS.toNanos(1));
        assertEquals(0, disk.reads());
        assertTrue(SlowDisk.isReader("ReadStage-3"));
        assertTrue(SlowDisk.isReader("Native-Transport-Requests-1"));
        assertTrue(SlowDisk.isReader("CounterMutationStage-2"));
        assertFalse(SlowDisk.isReader("MutationStage-2"));
    }

    @Test
    void whoWaitsForAPlaceIsCountedAndWhoHasOneIsNot() throws InterruptedException {
        SlowDisk disk = new SlowDisk(1);
        // Else the second could have its place before all three were seen.
        disk.hang();
        Thread[] readers = new Thread[3];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = new Thread(() -> disk.read(1), "ReadStage-" + i);
            readers[i].start();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (disk.waiting() != 2 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertEquals(2, disk.waiting());
        disk.setSlowness(1);
        for (Thread reader : readers) {
            reader.join();
        }
        assertEquals(0, disk.waiting());
    }

    @Test
    void aDiskThatServesNothingIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new SlowDisk(0));
    }
}
