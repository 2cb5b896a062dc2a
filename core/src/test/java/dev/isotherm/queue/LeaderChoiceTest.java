// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Decisions compared with those of a reference that knows the true queues; and the fairness of the random draws. */
class LeaderChoiceTest {
    private static final int LIMIT = 100;
    private static final QueueSettings SETTINGS = new QueueSettings(LIMIT, 50, 1000, 100);
    private static final long NOW = 5_000;
    private static final int NOT_A_REPLICA = QueueDepth.UNKNOWN;
    /** Instead of a depth: the peer's depth is unknown, and the peer does not answer. */
    private static final int UNKNOWN = -1;

    private static final int SILENT = -2;

    private final LeaderChoice choice = new LeaderChoice(SETTINGS);

    static DepthEstimator[] peers(QueueSettings settings, int... depths) {
        DepthEstimator[] peers = new DepthEstimator[depths.length];
        for (int i = 0; i < depths.length; i++) {
            peers[i] = new DepthEstimator(settings);
            if (depths[i] == SILENT) {
                peers[i].claimQuestion(NOW - settings.timeoutNanos());
            } else if (depths[i] != UNKNOWN) {
                peers[i].reported(depths[i], NOW, NOW);
            }
        }
        return peers;
    }

    private int decide(int localDepth, int random, int... depths) {
        return choice.decide(peers(SETTINGS, depths), depths.length, localDepth, random, NOW);
    }

    private static void assertDecision(DecisionKind kind, int target, int decision) {
        assertEquals(target, LeaderDecision.target(decision));
        assertEquals(kind, LeaderDecision.kind(decision));
    }

    @Test
    void aShortQueueHereWithAFreeThreadDecidesAlone() {
        assertTrue(choice.staysHere(0, true));
        assertTrue(choice.staysHere(LIMIT - 1, true));
        assertFalse(choice.staysHere(LIMIT, true));
        assertFalse(choice.staysHere(NOT_A_REPLICA, true));
        assertFalse(choice.staysHere(LIMIT - 1, false));
    }

    @Test
    void aShortQueueHereGoesOnlyToOneThatIsShorterByAQuarter() {
        assertDecision(DecisionKind.LOCAL, LeaderDecision.HERE, decide(80, 1, 60, 60));
        assertDecision(DecisionKind.REDIRECTED, 1, decide(80, 1, 60, 59));
        assertDecision(DecisionKind.REDIRECTED, 0, decide(80, 1, 20, 59));
        assertDecision(DecisionKind.LOCAL, LeaderDecision.HERE, decide(LIMIT - 1, 1, 300, 80));
        assertDecision(DecisionKind.LOCAL, LeaderDecision.HERE, decide(0, 1, 0, 0));
        assertDecision(DecisionKind.LOCAL, LeaderDecision.HERE, decide(80, 1));
    }

    /** No answer is awaited, and none that is old is believed. */
    @Test
    void aShortQueueHereStaysWhereNothingIsKnownOfOthers() {
        assertDecision(DecisionKind.LOCAL, LeaderDecision.HERE, decide(80, 1, UNKNOWN, SILENT));
        DepthEstimator[] peers = peers(SETTINGS, 5, 5);
        assertDecision(DecisionKind.LOCAL, LeaderDecision.HERE, choice.decide(peers, 2, 80, 1, NOW + 1000));
        peers[0].claimQuestion(NOW);
        peers[1].claimQuestion(NOW);
        assertDecision(DecisionKind.REDIRECTED, 0, choice.decide(peers, 2, 80, 1, NOW + 99));
        assertDecision(DecisionKind.LOCAL, LeaderDecision.HERE, choice.decide(peers, 2, 80, 1, NOW + 100));
    }

    /** The writes of one moment, as of a batch: each counts before there is an answer. */
    @Test
    void ofAShortQueueHereAsMuchGoesElsewhereAsMakesTheQueuesAlike() {
        DepthEstimator[] peers = peers(SETTINGS, 0, 10);
        SplittableRandom random = new SplittableRandom(65);
        int elsewhere = 0;
        while (LeaderDecision.kind(choice.decide(peers, 2, 40, random.nextInt(), NOW)) == DecisionKind.REDIRECTED) {
            elsewhere++;
        }
        assertEquals(30 + 20, elsewhere);
        assertEquals(30, peers[0].estimate(NOW));
        assertEquals(30, peers[1].estimate(NOW));
    }

    @Test
    void aLongQueueHereGoesToAShortOne() {
        assertDecision(DecisionKind.REDIRECTED, 1, decide(LIMIT, 1, 100, 99, UNKNOWN));
        assertDecision(DecisionKind.REDIRECTED, 0, decide(NOT_A_REPLICA, 1, 3, 200, SILENT));
    }

    @Test
    void otherSettingsAreFollowedFromTheNextDecisionOn() {
        choice.use(new QueueSettings(10, 50, 1000, 100));
        assertTrue(choice.staysHere(9, true));
        assertFalse(choice.staysHere(10, true));
        assertDecision(DecisionKind.REDIRECTED, 1, decide(10, 1, 10, 9, 10));
        choice.use(SETTINGS);
        assertDecision(DecisionKind.LOCAL, LeaderDecision.HERE, decide(10, 1, 10, 9, 10));
    }

    @Test
    void whatIsNotKnownIsAsked() {
        assertEquals(LeaderDecision.UNDECIDED, decide(LIMIT, 1, 100, UNKNOWN));
        assertEquals(LeaderDecision.UNDECIDED, decide(NOT_A_REPLICA, 1, UNKNOWN, UNKNOWN, SILENT));
    }

    /** Answers count for 1,000; the decisions come later than that. */
    @Test
    void aNodeThatIsNoReplicaDecidesByOldAnswersInsteadOfWaiting() {
        long late = NOW + 10_000;
        DepthEstimator[] peers = peers(SETTINGS, 120, 5, UNKNOWN);
        assertDecision(DecisionKind.REDIRECTED, 1, choice.decide(peers, 3, NOT_A_REPLICA, 1, late));
        assertEquals(1, peers[1].sentCount());
        assertEquals(0b111, choice.claimQuestions(peers, 3, late), "all are asked for the next decision");
    }

    @Test
    void anOldAnswerDoesNotCountBesideAFreshOneNorAfterSilence() {
        long late = NOW + 10_000;
        DepthEstimator[] peers = peers(SETTINGS, 5, 120, 7);
        peers[2].reported(50, late, late);
        assertDecision(DecisionKind.REDIRECTED, 2, choice.decide(peers, 3, NOT_A_REPLICA, 1, late));

        DepthEstimator[] silent = peers(SETTINGS, 5, 120, 7);
        silent[0].claimQuestion(late - 100);
        assertDecision(DecisionKind.REDIRECTED, 2, choice.decide(silent, 3, NOT_A_REPLICA, 1, late));
    }

    @Test
    void whereAnOldAnswerDoesNotHelpAnswersAreAwaited() {
        long late = NOW + 10_000;
        assertEquals(
                LeaderDecision.UNDECIDED,
                choice.decide(peers(SETTINGS, 120, 130), 2, NOT_A_REPLICA, 1, late),
                "all were long");
        assertEquals(
                LeaderDecision.UNDECIDED,
                choice.decide(peers(SETTINGS, 5, 7), 2, LIMIT, 1, late),
                "a replica with a long queue");
        DepthEstimator[] sentTo = peers(SETTINGS, 5, 7);
        for (int message = 0; message < 100; message++) {
            sentTo[0].sent();
            sentTo[1].sent();
        }
        assertEquals(
                LeaderDecision.UNDECIDED,
                choice.decide(sentTo, 2, NOT_A_REPLICA, 1, late),
                "long by the messages sent since");
    }

    @Test
    void allLongStaysHereUnlessThisQueueIsMoreThanTwiceTheShortest() {
        assertDecision(DecisionKind.LOCAL_OVER_LIMIT, LeaderDecision.HERE, decide(240, 1, 130, 120, SILENT));
        assertDecision(DecisionKind.LEAST_LOADED, 1, decide(241, 1, 130, 120, SILENT));
        assertDecision(DecisionKind.LEAST_LOADED, 1, decide(NOT_A_REPLICA, 1, 130, 120));
    }

    @Test
    void thereIsNothingToChooseAmongOne() {
        assertDecision(DecisionKind.LOCAL_OVER_LIMIT, LeaderDecision.HERE, decide(LIMIT, 1));
        assertDecision(DecisionKind.RANDOM, 0, decide(NOT_A_REPLICA, 1, UNKNOWN));
        assertDecision(DecisionKind.LEAST_LOADED, 0, decide(NOT_A_REPLICA, 1, 500));
        assertThrows(IllegalArgumentException.class, () -> decide(NOT_A_REPLICA, 1));
        assertThrows(IllegalArgumentException.class, () -> decide(LIMIT, 1, new int[32]));
    }

    @Property(tries = 5000, seed = "61")
    void decidesAsTheReferenceThatSeesTheQueues(
            @ForAll @IntRange(max = 6) int count,
            @ForAll @IntRange(min = -1, max = 500) int local,
            @ForAll int random,
            @ForAll long seed) {
        if (count == 0 && local < 0) {
            return;
        }
        SplittableRandom depthsFrom = new SplittableRandom(seed);
        int crowded = depthsFrom.nextInt(4);
        int[] depths =
                IntStream.range(0, count).map(i -> depth(depthsFrom, crowded)).toArray();
        DepthEstimator[] peers = peers(SETTINGS, depths);
        int decision = choice.decide(peers, count, local, random, NOW);
        int target = LeaderDecision.target(decision);
        int[] known = Arrays.stream(depths).filter(d -> d >= 0).sorted().toArray();
        boolean isShortHere = local >= 0 && local < LIMIT;
        int shorts = (int) Arrays.stream(known)
                .filter(d -> isShortHere ? d < .75 * local : d < LIMIT)
                .count();
        boolean askable = Arrays.stream(depths).anyMatch(d -> d == UNKNOWN) && (local >= 0 || count > 1);
        if (isShortHere && shorts == 0) {
            assertDecision(DecisionKind.LOCAL, LeaderDecision.HERE, decision);
        } else if (shorts > 0) {
            assertDecision(DecisionKind.REDIRECTED, target, decision);
            // The shorter of two: never the longest of several, and of two the shortest.
            assertTrue(depths[target] <= known[Math.max(0, shorts - 2)], Arrays.toString(depths) + " -> " + target);
        } else if (askable) {
            assertEquals(LeaderDecision.UNDECIDED, decision);
        } else if (known.length > 0 && (local < 0 || local > 2 * known[0])) {
            assertDecision(DecisionKind.LEAST_LOADED, target, decision);
            assertEquals(known[0], depths[target]);
        } else if (known.length > 0 || count == 0) {
            assertDecision(DecisionKind.LOCAL_OVER_LIMIT, LeaderDecision.HERE, decision);
        } else {
            assertDecision(DecisionKind.RANDOM, target, decision);
            assertTrue(target >= (local < 0 ? 0 : LeaderDecision.HERE) && target < count);
        }
        // The message is counted for the chosen peer only.
        for (int i = 0; i < count; i++) {
            assertEquals(i == target ? 1 : 0, peers[i].sentCount());
        }
    }

    private static int depth(SplittableRandom random, int crowded) {
        int kind = random.nextInt(10);
        if (kind == 0) {
            return SILENT;
        }
        if (kind == 1 && crowded < 2) {
            return UNKNOWN;
        }
        return random.nextInt(crowded > 0 ? 100 : 0, 300);
    }

    @Test
    void equallyShortOnesAreChosenEquallyOften() {
        assertEvenly(3, random -> decide(LIMIT, random, 5, 5, 5), 0);
        assertEvenly(5, random -> decide(NOT_A_REPLICA, random, 5, 5, 5, 5, 5), 0);
    }

    @Test
    void equallyLongOnesAreChosenEquallyOften() {
        assertEvenly(3, random -> decide(NOT_A_REPLICA, random, 500, 500, 500), 0);
    }

    @Test
    void chanceIsFairWhereNobodySaysAnythingAndThisNodeHasItsPart() {
        assertEvenly(3, random -> decide(NOT_A_REPLICA, random, SILENT, SILENT, SILENT), 0);
        assertEvenly(3, random -> decide(LIMIT, random, SILENT, SILENT), 1);
    }

    /** Of three short queues the shortest is drawn in two of three pairs, the longest in none. */
    @Test
    void theShorterOfTwoAtRandom() {
        int[] chosen = new int[3];
        SplittableRandom random = new SplittableRandom(62);
        for (int i = 0; i < 30_000; i++) {
            chosen[LeaderDecision.target(decide(LIMIT, random.nextInt(), 9, 1, 5))]++;
        }
        assertEquals(0, chosen[0]);
        assertEquals(20_000, chosen[1], 400);
        assertEquals(10_000, chosen[2], 400);
    }

    private static void assertEvenly(int targets, IntUnaryOperator decision, int shift) {
        int[] chosen = new int[targets];
        SplittableRandom random = new SplittableRandom(63);
        int draws = 10_000 * targets;
        for (int i = 0; i < draws; i++) {
            chosen[LeaderDecision.target(decision.applyAsInt(random.nextInt())) + shift]++;
        }
        // Five standard deviations.
        for (int count : chosen) {
            assertEquals(10_000, count, 500, Arrays.toString(chosen));
        }
    }

    /**
     * One write after the other, without an answer in between: own messages alone spread the writes, and no queue
     * passes the limit.
     */
    @Test
    void whatWasSentCounts() {
        DepthEstimator[] peers = peers(SETTINGS, 80, 95);
        SplittableRandom random = new SplittableRandom(64);
        for (int i = 0; i < 25; i++) {
            assertEquals(
                    DecisionKind.REDIRECTED,
                    LeaderDecision.kind(choice.decide(peers, 2, LIMIT, random.nextInt(), NOW)));
        }
        assertEquals(LIMIT, peers[0].estimate(NOW));
        assertEquals(LIMIT, peers[1].estimate(NOW));
        assertEquals(LeaderDecision.UNDECIDED, choice.decide(peers, 2, LIMIT, random.nextInt(), NOW));
    }

    @Test
    void allThatAreDueAreAskedOnceAndNotOnlyTheOneThatGetsTheWrites() {
        DepthEstimator[] peers = peers(SETTINGS, 10, UNKNOWN, 20, SILENT);
        assertEquals(0b0010, choice.claimQuestions(peers, 4, NOW));
        assertEquals(0, choice.claimQuestions(peers, 4, NOW + 1));
        assertEquals(0b0101, choice.claimQuestions(peers, 4, NOW + 500));
        assertEquals(0b1000, choice.claimQuestions(peers, 4, NOW - 100 + 1000));
    }
}
