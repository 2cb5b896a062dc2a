// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Invariants while many threads send, answer, ask and decide at once. */
class QueueConcurrencyTest {
    private final ExecutorService threads = Executors.newFixedThreadPool(6);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private <T> List<T> together(int count, Callable<T> what) throws Exception {
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(threads.submit(what));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> one : running) {
            results.add(one.get(60, TimeUnit.SECONDS));
        }
        return results;
    }

    /**
     * Each answer's depth is the number of messages sent when the question was asked, so that depth and count together
     * are the messages sent by now: a depth combined with another answer's count would show.
     */
    @Test
    void noMessageIsLostAndNoTwoAnswersAreMixed() throws Exception {
        int messages = 100_000;
        DepthEstimator peer = new DepthEstimator(QueueSettings.defaults());
        peer.reported(0, 0, 0);
        AtomicBoolean enough = new AtomicBoolean();
        CountDownLatch atWork = new CountDownLatch(4);
        Callable<Integer> answering = () -> {
            int answers = 0;
            for (; !enough.get(); answers++) {
                long sentWhenAsked = peer.sentCount();
                peer.answered((int) sentWhenAsked, sentWhenAsked, 0, 0);
                if (answers == 0) {
                    atWork.countDown();
                }
            }
            return answers;
        };
        Callable<Integer> looking = () -> {
            int looks = 0;
            for (; !enough.get(); looks++) {
                if (looks == 0) {
                    atWork.countDown();
                }
                long before = peer.sentCount();
                int estimate = peer.estimate(0);
                long after = peer.sentCount();
                if (estimate < before || estimate > after) {
                    throw new AssertionError(estimate + " is not between " + before + " and " + after);
                }
            }
            return looks;
        };
        List<Future<Integer>> others = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            others.add(threads.submit(answering));
            others.add(threads.submit(looking));
        }
        // On busy processors the messages would be sent before a thread that looks has begun.
        assertTrue(atWork.await(60, TimeUnit.SECONDS));
        together(2, () -> {
            for (int i = 0; i < messages; i++) {
                peer.sent();
            }
            return null;
        });
        enough.set(true);
        for (Future<Integer> other : others) {
            // What one of them has thrown fails the test.
            other.get(60, TimeUnit.SECONDS);
        }
        assertEquals(2 * messages, peer.sentCount());
        assertEquals(2 * messages, peer.estimate(0));
    }

    @Test
    void aQuestionIsClaimedByOne() throws Exception {
        for (int round = 0; round < 2_000; round++) {
            DepthEstimator peer = new DepthEstimator(QueueSettings.defaults());
            CountDownLatch start = new CountDownLatch(1);
            List<Future<Boolean>> claims = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                claims.add(threads.submit(() -> {
                    start.await();
                    return peer.claimQuestion(1);
                }));
            }
            start.countDown();
            int claimed = 0;
            for (Future<Boolean> claim : claims) {
                if (claim.get(60, TimeUnit.SECONDS)) {
                    claimed++;
                }
            }
            assertEquals(1, claimed);
        }
    }

    /**
     * Rounds open while answers arrive, and every estimate is stale at every instant: each round has to wait for an
     * answer, and no round is left waiting once all questions are answered.
     */
    @Test
    void noRoundIsLeftWaitingAndEachSettlesOnce() throws Exception {
        int rounds = 20_000;
        QueueSettings settings = new QueueSettings(QueueDepth.MAX, 50, 1, Long.MAX_VALUE / 20);
        LeaderChoice choice = new LeaderChoice(settings);
        DepthEstimator[] peers = {new DepthEstimator(settings), new DepthEstimator(settings)};
        AtomicLong clock = new AtomicLong(1);
        AtomicIntegerArray told = new AtomicIntegerArray(3 * rounds);
        AtomicInteger next = new AtomicInteger();
        AtomicInteger opening = new AtomicInteger(3);
        Queue<AskRound> all = new ConcurrentLinkedQueue<>();
        Queue<long[]> questions = new ConcurrentLinkedQueue<>();
        Future<Integer> answering = threads.submit(() -> {
            int answers = 0;
            for (; ; ) {
                boolean last = opening.get() == 0;
                long[] question = questions.poll();
                if (question != null) {
                    long now = clock.incrementAndGet();
                    peers[(int) question[0]].answered(0, question[1], now, now);
                    answers++;
                } else if (last) {
                    return answers;
                }
            }
        });
        together(3, () -> {
            for (int i = 0; i < rounds; i++) {
                int number = next.getAndIncrement();
                AskRound round = new AskRound(choice, peers, 2, -1, i, () -> told.incrementAndGet(number));
                all.add(round);
                int toAsk = round.open(clock.incrementAndGet());
                for (int peer = 0; peer < 2; peer++) {
                    if ((toAsk >> peer & 1) != 0) {
                        // Counted after the question was claimed: a count from before may be that of an earlier
                        // question, whose answer would be the newer one.
                        questions.add(new long[] {peer, peers[peer].sentCount()});
                    }
                }
            }
            return opening.decrementAndGet();
        });
        assertTrue(answering.get(60, TimeUnit.SECONDS) > 0);
        for (AskRound round : all) {
            assertTrue(round.isSettled());
        }
        assertEquals(3 * rounds, all.size());
        // Each round's write was counted once, for the chosen peer.
        long to0 = all.stream()
                .filter(round -> LeaderDecision.target(round.decision()) == 0)
                .count();
        assertEquals(to0, peers[0].sentCount());
        assertEquals(3L * rounds - to0, peers[1].sentCount());
        // A round is not notified if an answer that arrived at that moment settled it when it opened.
        for (int i = 0; i < 3 * rounds; i++) {
            assertTrue(told.get(i) <= 1);
        }
    }

    /**
     * An answer arrives while a round opens, too late to count as fresh there: the round is notified of it, or asks
     * itself.
     */
    @Test
    void aRoundHearsOfTheQuestionItShares() throws Exception {
        int races = 100_000;
        QueueSettings settings = new QueueSettings(100, 50, 10, 10_000);
        LeaderChoice choice = new LeaderChoice(settings);
        DepthEstimator[] peers = new DepthEstimator[races];
        for (int i = 0; i < races; i++) {
            peers[i] = new DepthEstimator(settings);
            peers[i].claimQuestion(1);
        }
        AtomicInteger started = new AtomicInteger();
        AtomicInteger racing = new AtomicInteger(-1);
        Future<Integer> answering = threads.submit(() -> {
            started.incrementAndGet();
            for (int i = 0; i < races; i++) {
                while (racing.get() < i) {
                    Thread.onSpinWait();
                }
                peers[i].answered(5, 0, 1, 1);
            }
            return races;
        });
        while (started.get() == 0) {
            Thread.onSpinWait();
        }
        AskRound[] rounds = new AskRound[races];
        int[] asked = new int[races];
        for (int i = 0; i < races; i++) {
            rounds[i] = new AskRound(choice, new DepthEstimator[] {peers[i]}, 1, 500, 1, null);
            racing.set(i);
            asked[i] = rounds[i].open(1_000);
        }
        assertEquals(races, answering.get(60, TimeUnit.SECONDS));
        for (int i = 0; i < races; i++) {
            assertTrue(rounds[i].isSettled() || asked[i] == 1, "race " + i);
        }
    }

    /**
     * More threads decide at once than a queue has room for: the limit is passed by no more than the number of threads
     * that looked at the same time.
     */
    @Test
    void theLimitIsPassedByNoMoreThanTheThreads() throws Exception {
        QueueSettings settings = new QueueSettings(1_000, 10_000, 1_000, 1_000);
        LeaderChoice choice = new LeaderChoice(settings);
        for (int run = 0; run < 20; run++) {
            DepthEstimator[] peers = {new DepthEstimator(settings)};
            peers[0].reported(0, 0, 0);
            List<Integer> redirected = together(4, () -> {
                int count = 0;
                while (count < 5_000 && choice.decide(peers, 1, 5_000, 1, 0) != LeaderDecision.UNDECIDED) {
                    count++;
                }
                return count;
            });
            int sum = redirected.stream().mapToInt(Integer::intValue).sum();
            assertEquals(peers[0].sentCount(), sum);
            assertTrue(sum >= 1_000 && sum < 1_000 + 4, "redirected " + sum);
        }
    }
}
