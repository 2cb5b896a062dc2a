// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.Workers;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many threads at once: together they are admitted exactly as many operations as one thread. */
class BucketConcurrencyTest {
    private static final int HIGHEST = -1;
    private static final int THREADS = 4;
    private static final long SECOND = 1_000_000_000L;

    /**
     * The clock stands still: each partition gets its burst and no operation more, whichever slots the partitions
     * share.
     */
    @ParameterizedTest
    @CsvSource({"1, 128", "8, 128", "64, 2097152", "1000, 2097152"})
    void inAFrozenClockExactlyTheBurstGoesAhead(int partitions, long bytes) throws Exception {
        for (int round = 0; round < 20; round++) {
            BucketLimiter limiter = new BucketLimiter(bytes, 0.4, round);
            AtomicIntegerArray admitted = new AtomicIntegerArray(partitions);
            Workers.run(THREADS, worker -> {
                SplittableRandom random = new SplittableRandom(worker);
                for (int i = 0; i < 50 * partitions; i++) {
                    int partition = random.nextInt(partitions);
                    if (limiter.admit(partition, 100, 1, HIGHEST, 0).isAdmitted()) {
                        admitted.incrementAndGet(partition);
                    }
                }
            });
            for (int partition = 0; partition < partitions; partition++) {
                assertEquals(44, admitted.get(partition) + remaining(limiter, partition), "partition " + partition);
            }
            assertEquals(partitions, limiter.sweep(0));
            assertEquals(0, limiter.uncounted() + limiter.evicted());
        }
    }

    private static int remaining(BucketLimiter limiter, int partition) {
        int admitted = 0;
        while (limiter.admit(partition, 100, 1, HIGHEST, 0).isAdmitted()) {
            admitted++;
        }
        return admitted;
    }

    @Test
    void debitsAndRefundsOfManyThreadsAddUp() throws Exception {
        BucketLimiter limiter = new BucketLimiter(128, 0.4, 1);
        // A period is one unit: each debit of 40 and refund of 39 leaves a debt of one.
        int calls = 100_000;
        limiter.account(5, 62_500_000, 100 * calls, 0);
        Workers.run(THREADS, worker -> {
            for (int i = 0; i < calls; i++) {
                limiter.account(5, 62_500_000, 40, 0);
                limiter.refund(5, 62_500_000, 39, 0);
                limiter.account(worker + 6, 62_500_000, 1, 0);
            }
        });
        long units = 100L * calls + THREADS * calls;
        assertEquals(1 + THREADS, limiter.sweep(0));
        assertEquals(1, limiter.sweep((units - 1) * 16));
        assertEquals(0, limiter.sweep(units * 16));
    }

    /** The threads advance the clock: together they get exactly the burst and the limit. */
    @Test
    void inTimeTheLimitGoesAhead() throws Exception {
        BucketLimiter limiter = new BucketLimiter(128, 0.4, 1);
        int limit = 10_000;
        AtomicLong clock = new AtomicLong();
        AtomicLong admitted = new AtomicLong();
        Workers.run(THREADS, worker -> {
            long mine = 0;
            for (long now; (now = clock.addAndGet(10_000)) < 10 * SECOND; ) {
                if (limiter.admit(7, limit, 1, HIGHEST, now).isAdmitted()) {
                    mine++;
                }
            }
            admitted.addAndGet(mine);
        });
        // Ten times the limit is offered; a delayed thread decides by its earlier reading of the clock.
        assertEquals(10 * limit + 4_004, admitted.get(), 2 + 0.001 * 10 * limit);
    }

    /** A sweep clears what is paid off, and no debt that another thread adds meanwhile. */
    @Test
    void aSweepTakesNothingFromWhatIsAddedMeanwhile() throws Exception {
        BucketLimiter limiter = new BucketLimiter(1 << 10, 0.4, 1);
        int rounds = 1_000;
        AtomicIntegerArray round = new AtomicIntegerArray(THREADS);
        Workers.run(THREADS, worker -> {
            // At the slowest thread's instant: that thread's partition was just paid off, and is used again.
            while (worker == 0 && round.get(0) < rounds && !Thread.interrupted()) {
                round.set(0, slowestUser(round));
                limiter.sweep(round.get(0) * SECOND);
            }
            while (worker > 0 && round.get(worker) < rounds) {
                // Clocks differ by a few seconds at most, the sweeping thread's too: an instant further ahead than
                // BELIEVED_SECONDS passes for one that wrapped.
                while (round.get(worker) > slowest(round) + 3) {
                    if (Thread.interrupted()) {
                        return;
                    } else {
                        Thread.yield();
                    }
                }
                long now = round.get(worker) * SECOND;
                for (int i = 0; i < 6; i++) {
                    assertTrue(limiter.admit(worker, 10, 1, HIGHEST, now).isAdmitted());
                }
                limiter.account(worker, 10, 2, now);
                assertFalse(limiter.admit(worker, 10, 1, HIGHEST, now).isAdmitted(), "debt was lost in round " + round);
                round.incrementAndGet(worker);
            }
        });
    }

    private static int slowest(AtomicIntegerArray rounds) {
        return Math.min(rounds.get(0), slowestUser(rounds));
    }

    private static int slowestUser(AtomicIntegerArray rounds) {
        int slowest = Integer.MAX_VALUE;
        for (int worker = 1; worker < THREADS; worker++) {
            slowest = Math.min(slowest, rounds.get(worker));
        }
        return slowest;
    }

    /** Threads compete for too few slots: every operation admitted uncounted is counted in uncounted(). */
    @Test
    void everyUncountedOperationIsCounted() throws Exception {
        BucketLimiter limiter = new BucketLimiter(256, 0.4, 1);
        AtomicLong uncounted = new AtomicLong();
        Workers.run(THREADS, worker -> {
            SplittableRandom random = new SplittableRandom(worker);
            long mine = 0;
            for (int i = 0; i < 200_000; i++) {
                if (limiter.admit(random.nextInt(500), 10, 1, random.nextInt(), i * 100_000L)
                        == Decision.ADMITTED_UNCOUNTED) {
                    mine++;
                }
            }
            uncounted.addAndGet(mine);
        });
        assertTrue(uncounted.get() > 0);
        assertEquals(uncounted.get(), limiter.uncounted());
    }
}
