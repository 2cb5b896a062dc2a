// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static dev.isotherm.limit.SilentPeers.FIRST_INTERVAL_NANOS;
import static dev.isotherm.limit.SilentPeers.LONGEST_INTERVAL_NANOS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SilentPeersTest {
    private static final long PATIENCE = 100_000_000L;
    private static final long START = Long.MAX_VALUE - 1_000_000_000L;

    private final SilentPeers<String> peers = new SilentPeers<>(PATIENCE);

    @Test
    void aPeerIsAskedUntilItLeavesAQuestionUnanswered() {
        peers.answered("a", START, START + 2 * PATIENCE);
        assertFalse(peers.isSilent("a"));
        assertFalse(peers.claimTrial("a", START + PATIENCE));
        peers.unanswered("a", START + PATIENCE);
        assertTrue(peers.isSilent("a"));
        assertFalse(peers.isSilent("b"));
    }

    @Test
    void anAnswerInTimeEndsTheSilence() {
        peers.unanswered("a", START);
        peers.answered("a", START - PATIENCE / 2, START + PATIENCE / 2);
        assertFalse(peers.isSilent("a"));
    }

    @Test
    void aLateAnswerMakesOneTrialDueAtOnce() {
        peers.unanswered("a", START);
        assertFalse(peers.claimTrial("a", START + 1));
        peers.answered("a", START - 2 * PATIENCE, START + 1);
        assertTrue(peers.isSilent("a"));
        assertTrue(peers.claimTrial("a", START + 1));
        assertFalse(peers.claimTrial("a", START + 1));
    }

    @Test
    void whoeverIsAlwaysLateStaysSilent() {
        peers.unanswered("a", START);
        long now = START;
        for (int trial = 0; trial < 100; trial++) {
            peers.answered("a", now, now + PATIENCE + 1);
            now += PATIENCE + 1;
            assertTrue(peers.isSilent("a"));
            assertTrue(peers.claimTrial("a", now));
        }
        peers.answered("a", now, now + PATIENCE);
        assertFalse(peers.isSilent("a"));
    }

    @Test
    void aQuestionThatCannotBeSentIsUnansweredAtOnceAndALateFailureSaysNothing() {
        peers.failed("late", START, START + PATIENCE + 1);
        assertFalse(peers.isSilent("late"));
        peers.failed("a", START, START + 1);
        assertTrue(peers.isSilent("a"));
    }

    @Test
    void furtherUnansweredQuestionsDoNotPutOffTheTrial() {
        peers.unanswered("a", START);
        for (int question = 1; question < 100; question++) {
            peers.unanswered("a", START + question);
        }
        assertTrue(peers.claimTrial("a", START + FIRST_INTERVAL_NANOS));
    }

    /** However often requests would ask, a peer gets trials at growing intervals, and one in 16 s for ever. */
    @Property(tries = 200, seed = "116")
    void trialsGrowRareAndNeverEnd(@ForAll @IntRange(min = 1, max = 50) int millisBetweenRequests) {
        SilentPeers<String> asked = new SilentPeers<>(PATIENCE);
        asked.unanswered("a", START);
        long step = millisBetweenRequests * 1_000_000L;
        long last = START;
        long expected = FIRST_INTERVAL_NANOS;
        int trials = 0;
        for (long since = 0; since < 120_000_000_000L; since += step) {
            if (asked.claimTrial("a", START + since)) {
                long interval = START + since - last;
                assertTrue(interval >= expected && interval < expected + step, trials + ": " + interval);
                last = START + since;
                expected = Math.min(2 * expected, LONGEST_INTERVAL_NANOS);
                trials++;
            }
        }
        // 0.25 + 0.5 + 1 + 2 + 4 + 8 + 16 s, and then one in 16 s.
        assertTrue(trials >= 11 && trials <= 12, "trials: " + trials);
    }

    @Test
    void aPeerThatNobodyWantsToAskIsForgotten() {
        peers.unanswered("left", START);
        peers.sweep(START + FIRST_INTERVAL_NANOS + LONGEST_INTERVAL_NANOS - 1);
        assertEquals(1, peers.size());
        peers.sweep(START + FIRST_INTERVAL_NANOS + LONGEST_INTERVAL_NANOS);
        assertEquals(0, peers.size());
    }

    @Test
    void ofManyThreadsOneGetsTheTrial() throws Exception {
        for (int round = 0; round < 500; round++) {
            SilentPeers<String> shared = new SilentPeers<>(PATIENCE);
            shared.unanswered("a", START);
            AtomicInteger claimed = new AtomicInteger();
            List<Integer> threads = List.of(0, 1, 2, 3);
            threads.parallelStream().forEach(thread -> {
                if (shared.claimTrial("a", START + FIRST_INTERVAL_NANOS)) {
                    claimed.incrementAndGet();
                }
            });
            assertEquals(1, claimed.get());
        }
    }

    @Test
    void patienceIsPositive() {
        assertThrows(IllegalArgumentException.class, () -> new SilentPeers<>(0));
    }
}
