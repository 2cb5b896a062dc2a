// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DiskReadsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long ROUND = SECOND / 5;
    private static final long COLD = 10_000_000;
    private static final long HIT = 200_000;
    private static final long SERVICE = 4_000_000;

    private final SplittableRandom random = new SplittableRandom(9);
    private long now = -7;
    private final DiskReads reads = new DiskReads(3 * SECOND, COLD, now);

    /** Each round 40 reads; of the misses that fraction waits a hundred times as long as its service takes. */
    private void run(double seconds, double missRatio, double waiting) {
        run(seconds, missRatio, waiting, 0);
    }

    /** And each waits for a processor for so long before. */
    private void run(double seconds, double missRatio, double waiting, long queueNanos) {
        for (int round = 0; round < seconds * SECOND / ROUND; round++) {
            for (int i = 0; i < 40; i++) {
                boolean miss = random.nextDouble() < missRatio;
                long wait = random.nextDouble() < waiting ? 100 * SERVICE : 0;
                reads.add(miss ? 1 : 0, queueNanos + (miss ? HIT + SERVICE + wait : HIT));
            }
            now += ROUND;
            reads.settle(40, now);
        }
    }

    @Test
    void aStartedNodeIsColdUntilItHasServedReads() {
        assertEquals(1, reads.waitsPerRead(), 0);
        assertEquals(COLD, reads.costNanos(), 0);
        reads.settle(0, now + 60 * SECOND);
        assertEquals(COLD, reads.costNanos(), 1e-6 * COLD);
    }

    /** Otherwise few reads seem to have been at the disk, and the queue of those that were held up a slower disk. */
    @Test
    void aPauseIsNoTimeInWhichTheDiskWasIdle() {
        waitAtTheDisk(60, SERVICE);
        assertEquals(SERVICE, reads.waitNanos(), 0.01 * SERVICE);
        now += 10 * SECOND;
        reads.skip(now);
        waitAtTheDisk(2, 10 * SERVICE);
        assertEquals(SERVICE, reads.waitNanos(), 0.2 * SERVICE);
    }

    /** Each round 100 reads that all wait so long: two at a time, or more. */
    private void waitAtTheDisk(int seconds, long waitNanos) {
        for (int round = 0; round < seconds * SECOND / ROUND; round++) {
            for (int i = 0; i < 100; i++) {
                reads.add(1, waitNanos);
            }
            now += ROUND;
            reads.settle(100, now);
        }
    }

    @Test
    void aWaitCostsWhatItTakesBesideAHit() {
        run(60, 0.3, 0);
        assertEquals(0.3, reads.waitsPerRead(), 0.05);
        assertEquals(SERVICE, reads.waitNanos(), 0.01 * SERVICE);
        assertEquals(reads.waitsPerRead() * reads.waitNanos(), reads.costNanos(), 0);
    }

    /** A row of three pieces: a warm node lacks one of them now and then, a cold one all, and the place of the row. */
    @Test
    void aColdNodeCostsAsManyTimesAWarmOneAsItsDiskIsReadMoreOften() {
        DiskReads cold = new DiskReads(3 * SECOND, COLD, now);
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < 40; i++) {
                int waits = random.nextInt(10) < 2 ? 1 + random.nextInt(3) : 0;
                reads.add(waits, HIT + waits * SERVICE);
                cold.add(4, HIT + 4 * SERVICE);
            }
            now += ROUND;
            reads.settle(40, now);
            cold.settle(40, now);
        }
        assertEquals(4 / 0.4, cold.costNanos() / reads.costNanos(), 1);
    }

    @Test
    void aNodeThatMissesNothingCostsAHit() {
        run(60, 0, 0);
        assertEquals(HIT, reads.costNanos(), 0.01 * HIT);
    }

    /** Where two of three nodes have more to do than they can, the third that comes back cold is not the cheapest. */
    @Test
    void aQueueAtTheProcessorsCostsNoMoreThanAWaitForTheDisk() {
        run(10, 0, 0);
        run(60, 0, 0, 250 * HIT);
        assertEquals(COLD, reads.costNanos(), 0.01 * COLD);
        run(10, 0, 0);
        assertTrue(reads.costNanos() < 0.1 * COLD, "a queue that is gone costs nothing");
    }

    /** As long as reads wait for the processor before the disk: what comes after it is taken for the disk's. */
    @Test
    void aQueueAtTheProcessorsIsNotTheDisksTime() {
        run(10, 0.3, 0);
        run(60, 0.3, 0, 300 * HIT);
        assertEquals(SERVICE, reads.waitNanos(), 0.01 * SERVICE);
        assertEquals(COLD, reads.costNanos(), 0.01 * COLD);
    }

    /** A wait here takes longer than the settings say. */
    @Test
    void aQueueAtTheProcessorsBesideASlowDiskCostsAsMuchAsAReadOfIt() {
        long slow = 3 * COLD;
        run(10, 0, 0);
        for (int round = 0; round < 600; round++) {
            for (int i = 0; i < 10; i++) {
                reads.add(i == 0 ? 1 : 0, 1000 * HIT + (i == 0 ? slow : 0));
            }
            now += ROUND;
            reads.settle(10, now);
        }
        assertEquals(slow, reads.waitNanos(), 0.01 * slow);
        assertEquals(slow, reads.costNanos(), 0.02 * slow);
    }

    @Test
    void hitsThatTakeLongerThanAWaitByThemselvesCostWhatTheyTake() {
        run(60, 0, 0, 5 * COLD - HIT);
        assertEquals(5 * COLD, reads.costNanos(), 0.01 * COLD);
        run(60, 0, 0, 20 * COLD);
        assertEquals(5 * COLD, reads.costNanos(), 0.01 * COLD, "the rest is a queue's");
        now += 2 * 3600 * SECOND;
        run(60, 0, 0, 20 * COLD);
        assertEquals(20 * COLD + HIT, reads.costNanos(), 0.01 * COLD, "after an hour it is no queue's");
    }

    @Test
    void theCostOfAHitFollowsAnotherSmoothingToo() {
        DiskReads slower = new DiskReads(3 * SECOND, COLD, now);
        slower.setSmoothing(300 * SECOND);
        for (int round = 0; round < 600; round++) {
            for (int i = 0; i < 40; i++) {
                reads.add(0, round < 550 ? 10 * HIT : 12 * HIT);
                slower.add(0, round < 550 ? 10 * HIT : 12 * HIT);
            }
            now += ROUND;
            reads.settle(40, now);
            slower.settle(40, now);
        }
        assertEquals(12 * HIT, reads.costNanos(), 0.1 * HIT);
        assertTrue(slower.costNanos() < 11.5 * HIT, slower.costNanos() + " ns");
    }

    @Test
    void waitingInTheQueueIsNotTheDisksTime() {
        run(60, 0.3, 0.5);
        assertEquals(SERVICE, reads.waitNanos(), 0.01 * SERVICE);
    }

    /** A hundred of eight hundred reads are sampled: by these alone hardly one wait would be at the disk at a time. */
    @Test
    void allWaitsAreAtTheDiskNotOnlyThoseOfTheSample() {
        for (int round = 0; round < 290; round++) {
            for (int i = 0; i < 100; i++) {
                long wait = i % 10 > 0 ? 0 : round < 200 ? SERVICE : 3 * SERVICE;
                reads.add(wait > 0 ? 1 : 0, HIT + wait);
            }
            now += ROUND;
            reads.settle(800, now);
        }
        assertEquals(SERVICE, reads.waitNanos(), 0.01 * SERVICE);
    }

    /** Nine of ten reads are of one partition, and hit: the waits of the others are few. */
    @Test
    void aHotPartitionAddsNoWaits() {
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < 200; i++) {
                boolean miss = i % 20 == 0;
                long wait = !miss ? 0 : round < 200 ? SERVICE : 3 * SERVICE;
                reads.add(i % 10 == 0 ? random.nextLong() : 1, miss ? 1 : 0, HIT + wait);
            }
            now += ROUND;
            reads.settle(200, now);
        }
        assertEquals(3 * SERVICE, reads.waitNanos(), 0.1 * SERVICE);
    }

    @Test
    void oneLongPauseChangesNothing() {
        run(60, 0.3, 0);
        double before = reads.waitNanos();
        for (int thread = 0; thread < 5; thread++) {
            reads.add(1, 100 * SECOND);
            reads.add(0, 100 * SECOND);
        }
        run(0.2, 0.3, 0);
        assertEquals(before, reads.waitNanos(), 0.02 * before);
    }

    @Test
    void atMostFiveHundredReadsASecondAreSampled() {
        for (int perRound : new int[] {10, 100, 1000, 50_000}) {
            reads.settle(perRound, now += ROUND);
            int sampled = 0;
            for (int i = 0; i < perRound; i++) {
                sampled += reads.isSampled(random.nextDouble()) ? 1 : 0;
            }
            assertEquals(Math.min(perRound, 100), sampled, 40, perRound + " reads each 200 ms");
        }
    }

    /** A table that was at rest is read much before it is settled again. */
    @Test
    void atMostAThousandAreSampledUntilItIsSettled() {
        reads.settle(0, now += ROUND);
        int sampled = 0;
        for (int i = 0; i < 100_000; i++) {
            sampled += reads.isSampled(random.nextDouble()) ? 1 : 0;
        }
        assertEquals(1000, sampled);
        reads.settle(0, now += ROUND);
        assertTrue(reads.isSampled(random.nextDouble()));
    }

    /** While {@code meanwhile} runs again and again, three threads add 99,999 reads each, of which a third wait. */
    private void addByThreeThreads(Runnable meanwhile) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        Future<?>[] adding = new Future<?>[3];
        for (int thread = 0; thread < 3; thread++) {
            adding[thread] = threads.submit(() -> {
                for (int i = 0; i < 99_999; i++) {
                    boolean miss = i % 3 == 0;
                    reads.add(miss ? 1 : 0, miss ? SERVICE : HIT);
                }
            });
        }
        for (Future<?> one : adding) {
            while (!one.isDone()) {
                meanwhile.run();
            }
            one.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertEquals(299_997, reads.sampled());
        assertEquals(99_999, reads.waited());
    }

    @Test
    void noReadIsLostBetweenThreads() throws Exception {
        addByThreeThreads(Thread::onSpinWait);
        reads.settle(1, now += 1);
        assertEquals(1 / 3.0, reads.waitsPerRead(), 0.001);
    }

    /** What it counts is not of one instant: where the machine has it wait in between, a ratio may be any for once. */
    @Test
    void noReadIsLostWhileAThreadSettles() throws Exception {
        addByThreeThreads(() -> {
            reads.settle(1, now += 1);
            double ratio = reads.waitsPerRead();
            assertTrue(ratio >= 0 && ratio <= 299_997, () -> "miss ratio " + ratio);
        });
    }

    @Test
    void itTellsItsCost() {
        assertEquals(Heat.costNanos(COLD), reads.heat());
        run(60, 0.3, 0);
        assertSame(Heat.Kind.COST, reads.heat().kind());
        assertEquals(1, reads.heat().value() / reads.costNanos(), 0.05);
    }

    @Test
    void itFollowsAnotherSmoothingFromThenOn() {
        DiskReads slower = new DiskReads(3 * SECOND, COLD, now);
        slower.setSmoothing(300 * SECOND);
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < 40; i++) {
                int waits = i % (round < 250 ? 4 : 3) == 0 ? 1 : 0;
                reads.add(waits, HIT + waits * SERVICE);
                slower.add(waits, HIT + waits * SERVICE);
            }
            now += ROUND;
            reads.settle(40, now);
            slower.settle(40, now);
        }
        assertEquals(14 / 40.0, reads.waitsPerRead(), 0.01);
        assertTrue(slower.waitsPerRead() < 13 / 40.0, slower.waitsPerRead() + " waits per read");
    }

    @Test
    void settlingTwiceAtOneInstantAddsNothing() {
        run(10, 0.3, 0);
        double before = reads.waitsPerRead();
        reads.add(1, SERVICE);
        reads.settle(1, now);
        assertEquals(before, reads.waitsPerRead(), 0);
        assertThrows(IllegalArgumentException.class, () -> new DiskReads(SECOND, 0, 0));
        assertTrue(new DiskReads(SECOND, 1, 0).costNanos() > 0);
    }

    @Test
    void whatWasSampledBeforeAPauseCountsForNothing() {
        run(60, 0, 0);
        for (int i = 0; i < 100; i++) {
            reads.add(1, SERVICE);
        }
        now += 10 * SECOND;
        reads.skip(now);
        run(0.2, 0, 0);
        assertEquals(0, reads.waitsPerRead(), 0.01);
    }

    /** Otherwise hardly one wait would seem to be at the disk at a time, and its queue a slower disk. */
    @Test
    void whatAHotPartitionWasReadBeforeAPauseCountsForNothing() {
        waitAtTheDisk(60, SERVICE);
        for (int i = 0; i < 100_000; i++) {
            reads.add(1, 0, HIT);
        }
        now += 10 * SECOND;
        reads.skip(now);
        waitAtTheDisk(1, 10 * SERVICE);
        assertEquals(SERVICE, reads.waitNanos(), 0.01 * SERVICE);
    }
}
