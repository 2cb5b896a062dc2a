// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Rounds that meet depths and instants older than what is known. */
class AskRoundOfOldNewsTest {
    private static final QueueSettings SETTINGS = new QueueSettings(100, 50, 10_000, 100);
    private static final LeaderChoice CHOICE = new LeaderChoice(SETTINGS);
    private static final long NOW = 5_000;

    /** The threads of a coordinator do not read the clock in the order in which they go on. */
    @Test
    void whoHasReadTheClockBeforeTheQuestionFailedDoesNotWait() {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, -1);
        assertTrue(peers[0].claimQuestion(NOW));
        peers[0].failed(NOW, NOW + 5);
        AskRound round = new AskRound(CHOICE, peers, 1, 500, 1, null);
        assertEquals(0, round.open(NOW + 4));
        assertEquals(DecisionKind.RANDOM, LeaderDecision.kind(round.decision()));
    }

    @Test
    void aDepthThatIsNotBelievedReleasesNobody() {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, -1);
        peers[0].answered(10, 0, NOW - 5, NOW - 5);
        for (int i = 0; i < 100; i++) {
            peers[0].sent();
        }
        AskRound round = new AskRound(CHOICE, peers, 1, 120, 1, null);
        assertEquals(1, round.open(NOW));
        assertFalse(peers[0].reported(7, NOW - 100, NOW + 1));
        assertEquals(LeaderDecision.UNDECIDED, round.decision(), "it may have served the hundred");
        peers[0].answered(7, 100, NOW, NOW + 2);
        assertEquals(LeaderDecision.of(DecisionKind.REDIRECTED, 0), round.decision());
    }

    /** A report came between the look at the estimate and the wait, and its question was asked before by the clock. */
    @Test
    void itReleasesThoseThatWouldNotAskForWhatIsKnown() {
        DepthEstimator[] peers = LeaderChoiceTest.peers(SETTINGS, -1);
        AskRound round = new AskRound(CHOICE, peers, 1, 120, 1, null);
        peers[0].reported(7, NOW + 1, NOW + 1);
        peers[0].await(round, 0);
        assertFalse(peers[0].answered(9, 0, NOW, NOW + 2));
        assertEquals(LeaderDecision.of(DecisionKind.REDIRECTED, 0), round.decision());
    }
}
