// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many threads send and answer while one looks: each read is counted once, and nobody is avoided for nothing. */
class GuardConcurrencyTest {
    private static final int THREADS = 4;
    private static final int READS = 200_000;
    private static final int REPLICAS = 3;
    /** A thread that loses its processor for long is then late with a few reads of many. */
    private static final int ANSWERS_PER_LOOK = 6_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong answers = new AtomicLong();
    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private volatile long now = 1;

    private final ReadGuard<Integer> guard = new ReadGuard<>(
            GuardSettings.defaults(),
            -1,
            () -> 5_000_000_000L,
            () -> 10_000_000_000L,
            node -> true,
            new ReadGuard.Listener<>() {
                @Override
                public void began(Integer replica, String reason) {
                    log.add(replica + ": " + reason);
                }

                @Override
                public void ended(Integer replica, long afterNanos) {
                    log.add(replica + " used");
                }
            },
            now);

    private interface Work {
        void run(int thread);
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** Runs the work on all threads and looks meanwhile, in virtual time by the number of answers. */
    private void runAndLook(Work work) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int number = thread;
            running.add(threads.submit(() -> work.run(number)));
        }
        long looks = 0;
        long answersLooked = 0;
        while (!running.stream().allMatch(Future::isDone)) {
            if (answers.get() - answersLooked >= ANSWERS_PER_LOOK) {
                answersLooked = answers.get();
                looks++;
                now += ReadGuard.LOOK_NANOS;
                guard.look(now);
            } else {
                Thread.onSpinWait();
            }
        }
        for (Future<?> one : running) {
            one.get(60, TimeUnit.SECONDS);
        }
        assertTrue(looks > 0);
    }

    private void answer(int replica, long id) {
        guard.answered(replica, id, now);
        answers.incrementAndGet();
    }

    private void nothingIsLeft() {
        for (int replica = 0; replica < REPLICAS; replica++) {
            ReplicaStatus status = guard.statusOf(replica, now);
            assertEquals(0, status.unanswered());
            assertEquals(-1, status.oldestNanos());
        }
    }

    @Test
    void whatIsAnsweredAtOnceLeavesNothingAndNobodyIsAvoided() throws Exception {
        runAndLook(thread -> {
            for (int i = 0; i < READS; i++) {
                int replica = (i + thread) % REPLICAS;
                long id = messages.incrementAndGet();
                guard.sent(replica, id, now);
                answer(replica, id);
                if (guard.statusOf(replica, now).unanswered() < 0) {
                    throw new AssertionError("a negative count");
                }
            }
        });
        assertEquals(List.of(), List.copyOf(log));
        nothingIsLeft();
    }

    /** A read is answered by another thread than the one that sent it, twice, and at times before it is noted. */
    @Test
    void whatOthersAnswerLeavesNothingEither() throws Exception {
        Queue<long[]> onTheWay = new ConcurrentLinkedQueue<>();
        runAndLook(thread -> {
            for (int i = 0; i < READS; i++) {
                int replica = (i + thread) % REPLICAS;
                long id = messages.incrementAndGet();
                if (i % 100 == 0) {
                    onTheWay.add(new long[] {replica, id});
                    guard.sent(replica, id, now);
                } else {
                    guard.sent(replica, id, now);
                    onTheWay.add(new long[] {replica, id});
                }
                long[] other = onTheWay.poll();
                if (other != null) {
                    answer((int) other[0], other[1]);
                    answer((int) other[0], other[1]);
                }
            }
        });
        for (long id = messages.get(); id > 0; id--) {
            for (int replica = 0; replica < REPLICAS; replica++) {
                guard.answered(replica, id, now);
            }
        }
        nothingIsLeft();
    }

    /** One replica falls silent under load: it alone is avoided, and each look grants one trial at most. */
    @Test
    void theSilentOneIsAvoidedAloneAndTriedOnceALook() throws Exception {
        AtomicLong trials = new AtomicLong();
        runAndLook(thread -> {
            for (int i = 0; now < 3_000_000_000L; i++) {
                int replica = (i + thread) % REPLICAS;
                Avoided<Integer> avoided = guard.avoided();
                if (!avoided.isEmpty() && avoided.rankOf(replica, true) != ReplicaRanks.USED) {
                    replica = (replica + 1) % REPLICAS;
                } else if (!avoided.isEmpty() && replica == 0) {
                    trials.incrementAndGet();
                }
                long id = messages.incrementAndGet();
                guard.sent(replica, id, now);
                if (replica != 0) {
                    answer(replica, id);
                }
            }
        });
        assertEquals(1, log.size(), log::toString);
        assertTrue(log.peek().startsWith("0: "), log::toString);
        assertTrue(trials.get() >= 1, "it is tried");
        // A thread may still claim by what was published before it was delayed.
        assertTrue(trials.get() <= 8 + THREADS, "four at once, and after 0.25, 1 and 4 s: " + trials.get());
    }
}
