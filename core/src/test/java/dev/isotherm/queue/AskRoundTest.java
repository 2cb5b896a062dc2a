// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Rounds compared with a reference that follows the rule literally, for every order of events. */
class AskRoundTest {
    private static final int LIMIT = 100;
    private static final QueueSettings SETTINGS = new QueueSettings(LIMIT, 50, 10_000, 100);
    private static final LeaderChoice CHOICE = new LeaderChoice(SETTINGS);
    private static final long NOW = 5_000;
    private static final int FAILED = -10;
    private static final int ABSURD = -20;
    private static final int TIMEOUT = -30;

    /** One event: a candidate answers with a depth, {@link #FAILED} or {@link #ABSURD}; or the timeout. */
    private static final class Event {
        final int candidate;
        final int what;

        Event(int candidate, int what) {
            this.candidate = candidate;
            this.what = what;
        }

        @Override
        public String toString() {
            return candidate + ":" + what;
        }
    }

    /** The rule, evaluated from scratch. */
    private static final class Reference {
        final int local;
        final int count;
        final TreeSet<Integer> pending = new TreeSet<>();
        final Map<Integer, Integer> told = new TreeMap<>();
        DecisionKind kind;
        int target;

        Reference(int local, int count) {
            this.local = local;
            this.count = count;
            for (int i = 0; i < count; i++) {
                pending.add(i);
            }
        }

        void happens(Event event) {
            if (kind != null || event.what == ABSURD) {
                return;
            }
            if (event.what == TIMEOUT) {
                conclude(DecisionKind.TIMED_OUT);
            } else if (!pending.contains(event.candidate)) {
                if (event.what >= 0) {
                    told.replace(event.candidate, event.what);
                }
            } else if (event.what >= 0 && event.what < LIMIT) {
                kind = DecisionKind.REDIRECTED;
                target = event.candidate;
            } else {
                pending.remove(event.candidate);
                if (event.what >= 0) {
                    told.put(event.candidate, event.what);
                }
                if (pending.isEmpty()) {
                    conclude(DecisionKind.RANDOM);
                }
            }
        }

        private void conclude(DecisionKind kindOfRandom) {
            if (told.isEmpty()) {
                kind = kindOfRandom;
                return;
            }
            int shortest = Collections.min(told.values());
            boolean here = local >= 0 && local <= 2 * shortest;
            kind = here ? DecisionKind.LOCAL_OVER_LIMIT : DecisionKind.LEAST_LOADED;
            target = here ? LeaderDecision.HERE : -5;
        }

        void assertAgrees(int decision, List<Event> events) {
            if (kind == null) {
                assertEquals(LeaderDecision.UNDECIDED, decision, events::toString);
                return;
            }
            assertEquals(kind, LeaderDecision.kind(decision), events::toString);
            int decided = LeaderDecision.target(decision);
            if (kind == DecisionKind.LEAST_LOADED) {
                assertEquals(Collections.min(told.values()), told.get(decided), events::toString);
            } else if (kind == DecisionKind.TIMED_OUT || kind == DecisionKind.RANDOM) {
                assertTrue(decided >= (local < 0 ? 0 : LeaderDecision.HERE) && decided < count, events::toString);
            } else {
                assertEquals(target, decided, events::toString);
            }
        }
    }

    private static void play(int count, int local, int random, List<Event> events) {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, unknown(count));
        int[] told = new int[1];
        AskRound round = new AskRound(CHOICE, peers, count, local, random, () -> told[0]++);
        assertEquals((1 << count) - 1, round.open(NOW));
        assertEquals(NOW + 100, round.deadlineNanos());
        Reference reference = new Reference(local, count);
        long now = NOW;
        for (Event event : events) {
            now++;
            if (event.what == TIMEOUT) {
                assertEquals(!round.isSettled(), round.timedOut(now));
            } else if (event.what == FAILED) {
                // Asked after anything that came before.
                peers[event.candidate].failed(now, now);
            } else if (event.what == ABSURD) {
                refuse(peers[event.candidate], random, now);
            }
            // Asked at the same instant: the later of two answers is believed.
            else {
                peers[event.candidate].answered(event.what, 0, NOW, now);
            }
            reference.happens(event);
            reference.assertAgrees(round.decision(), events);
            assertEquals(round.isSettled() ? 1 : 0, told[0], events::toString);
        }
        int target = LeaderDecision.target(round.decision());
        if (round.isSettled() && target >= 0) {
            assertEquals(1, peers[target].sentCount());
        }
    }

    private static void refuse(DepthEstimator peer, int random, long now) {
        int depth = random < 0 ? random : Integer.MAX_VALUE - (random >>> 12);
        assertThrows(IllegalArgumentException.class, () -> peer.answered(depth, 0, NOW, now));
    }

    private static int[] unknown(int count) {
        int[] depths = new int[count];
        Arrays.fill(depths, -1);
        return depths;
    }

    /** Every order of every combination of two peers' events, with the timeout at every point. */
    @Test
    void everyOrderOfTwoPeers() {
        int[][] fates = {
            {},
            {5},
            {150},
            {300},
            {150, 260},
            {150, 5},
            {5, 150},
            {FAILED},
            {FAILED, 5},
            {ABSURD},
            {ABSURD, 5},
            {150, FAILED}
        };
        int played = 0;
        for (int local : new int[] {-1, 120, 1000}) {
            for (int[] first : fates) {
                for (int[] second : fates) {
                    List<Event> events = new ArrayList<>(List.of(new Event(-1, TIMEOUT)));
                    for (int what : first) {
                        events.add(new Event(0, what));
                    }
                    for (int what : second) {
                        events.add(new Event(1, what));
                    }
                    played += permute(events, 0, local);
                }
            }
        }
        assertEquals(18_009, played);
    }

    private static int permute(List<Event> events, int from, int local) {
        if (from == events.size()) {
            play(2, local, 12345, events);
            return 1;
        }
        int played = 0;
        for (int i = from; i < events.size(); i++) {
            Collections.swap(events, from, i);
            played += permute(events, from + 1, local);
            Collections.swap(events, from, i);
        }
        return played;
    }

    @Property(tries = 5000, seed = "71")
    void anyOrderOfManyPeers(
            @ForAll @IntRange(min = 1, max = 8) int count,
            @ForAll @IntRange(min = -1, max = 3) int hundreds,
            @ForAll int random,
            @ForAll long seed) {
        Random events = new Random(seed);
        List<Event> all = new ArrayList<>(List.of(new Event(-1, TIMEOUT)));
        int shortOnes = events.nextInt(4);
        for (int i = 0; i < count * 2; i++) {
            int[] whats = {
                events.nextInt(LIMIT * shortOnes / 3 + 1) + (shortOnes == 0 ? LIMIT : 0),
                100 + events.nextInt(200),
                FAILED,
                ABSURD
            };
            all.add(new Event(events.nextInt(count), whats[events.nextInt(4)]));
        }
        Collections.shuffle(all, events);
        play(count, hundreds < 0 ? -1 : 100 + 100 * hundreds, random, all);
    }

    @Test
    void whatIsFreshAtTheOpeningIsNotAsked() {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, 150, -1, -2);
        AskRound round = new AskRound(CHOICE, peers, 3, 120, 1, null);
        assertEquals(0b010, round.open(NOW));
        peers[1].answered(200, 0, NOW, NOW + 1);
        assertEquals(DecisionKind.LOCAL_OVER_LIMIT, LeaderDecision.kind(round.decision()));
    }

    @Test
    void aRoundWithAnAnswerOrNobodyToAskIsSettledWhenItOpens() {
        int[] told = new int[1];
        AskRound found = new AskRound(CHOICE, LeaderChoiceTest.peers(SETTINGS, -1, 3), 2, 120, 1, () -> told[0]++);
        assertEquals(0, found.open(NOW));
        assertEquals(LeaderDecision.of(DecisionKind.REDIRECTED, 1), found.decision());
        AskRound nobody = new AskRound(CHOICE, LeaderChoiceTest.peers(SETTINGS, -2, -2), 2, -1, 1, () -> told[0]++);
        assertEquals(0, nobody.open(NOW));
        assertEquals(DecisionKind.RANDOM, LeaderDecision.kind(nobody.decision()));
        assertFalse(nobody.timedOut(NOW + 100));
        assertEquals(0, told[0]);
    }

    @Test
    void candidatesMayBeReusedByTheCaller() {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, -1, -1);
        DepthEstimator first = peers[0];
        AskRound round = new AskRound(CHOICE, peers, 2, -1, 1, null);
        round.open(NOW);
        Arrays.fill(peers, null);
        first.answered(3, 0, NOW, NOW + 1);
        assertEquals(LeaderDecision.of(DecisionKind.REDIRECTED, 0), round.decision());
    }

    @Test
    void roundsShareAQuestionAndDoNotAllFallUponItsAnswer() {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, -1, -1);
        List<AskRound> rounds = new ArrayList<>();
        int asked = 0;
        for (int i = 0; i < 150; i++) {
            AskRound round = new AskRound(CHOICE, peers, 2, -1, i, null);
            asked += Integer.bitCount(round.open(NOW + i % 50));
            rounds.add(round);
        }
        assertEquals(2, asked);
        peers[0].answered(10, 0, NOW, NOW + 60);
        assertEquals(90, rounds.stream().filter(AskRound::isSettled).count());
        assertTrue(rounds.subList(0, 90).stream().allMatch(AskRound::isSettled), "first come, first served");
        assertEquals(90, peers[0].sentCount());
        // No queue is below the limit any more: the remaining rounds are spread so that both queues end equally long.
        peers[1].answered(120, 0, NOW, NOW + 61);
        assertTrue(rounds.stream().allMatch(AskRound::isSettled));
        assertEquals(140, peers[0].estimate(NOW + 61), 1);
        assertEquals(140, peers[1].estimate(NOW + 61), 1);
    }

    @Test
    void aReportNobodyAskedForIsHeardToo() {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, -1, -1);
        AskRound round = new AskRound(CHOICE, peers, 2, 500, 1, null);
        round.open(NOW);
        peers[1].reported(4, NOW + 1, NOW + 1);
        assertEquals(LeaderDecision.of(DecisionKind.REDIRECTED, 1), round.decision());
    }

    @Test
    void aFailedQuestionIsToldToAllThatWait() {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, -1);
        AskRound asking = new AskRound(CHOICE, peers, 1, 500, 1, null);
        AskRound waiting = new AskRound(CHOICE, peers, 1, 500, 1, null);
        assertEquals(1, asking.open(NOW));
        assertEquals(0, waiting.open(NOW));
        peers[0].failed(NOW, NOW + 1);
        assertTrue(asking.isSettled() && waiting.isSettled());
        assertTrue(peers[0].isSilent(NOW + 1));
        assertEquals(DecisionKind.RANDOM, LeaderDecision.kind(CHOICE.decide(peers, 1, 500, 1, NOW + 2)));
        peers[0].reported(3, NOW + 3, NOW + 3);
        assertFalse(peers[0].isSilent(NOW + 3));
    }

    @Test
    void onlyCandidatesCanFail() {
        AskRound round = new AskRound(CHOICE, LeaderChoiceTest.peers(SETTINGS, -1), 1, -1, 1, null);
        assertThrows(IllegalArgumentException.class, () -> round.failed(1, NOW));
        assertThrows(IllegalArgumentException.class, () -> round.failed(-1, NOW));
        assertThrows(IllegalArgumentException.class, () -> new AskRound(CHOICE, new DepthEstimator[0], 0, -1, 1, null));
    }

    /** Of a peer whose answers all are older than `silence` when they come: no estimate releases what waited. */
    @Test
    void aPeerThatAlwaysAnswersTooLateDoesNotHoldOnToRoundsThatEnded() {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, -1);
        WeakReference<AskRound> round = new WeakReference<>(timedOut(peers));
        assertTrue(peers[0].answered(3, 0, NOW, NOW + SETTINGS.silenceNanos()));
        assertEquals(QueueDepth.UNKNOWN, peers[0].estimate(NOW + SETTINGS.silenceNanos()));
        for (int i = 0; i < 100 && round.get() != null; i++) {
            System.gc();
        }
        assertNull(round.get());
    }

    private static AskRound timedOut(DepthEstimator[] peers) {
        AskRound round = new AskRound(CHOICE, peers, peers.length, -1, 1, null);
        assertEquals(1, round.open(NOW));
        assertTrue(round.timedOut(NOW + 100));
        return round;
    }
}
