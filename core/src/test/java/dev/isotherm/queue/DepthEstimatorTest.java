// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DepthEstimatorTest {
    private static final long SILENCE = 1000;
    private static final long TIMEOUT = 100;
    private static final int LIMIT = 100;
    private static final int UNKNOWN = QueueDepth.UNKNOWN;
    // Near the largest value of the clock, which wraps to negative values.
    private static final long NOW = Long.MAX_VALUE - 50;

    private final DepthEstimator peer = new DepthEstimator(new QueueSettings(LIMIT, 50, SILENCE, TIMEOUT));

    private void send(int messages) {
        for (int i = 0; i < messages; i++) {
            peer.sent();
        }
    }

    @Test
    void knowsNothingAtFirst() {
        send(10);
        assertEquals(UNKNOWN, peer.estimate(NOW));
        assertEquals(UNKNOWN, peer.freshEstimate(LIMIT, NOW));
        assertEquals(UNKNOWN, peer.lastAnswer());
        assertEquals(-1, peer.ageNanos(NOW));
        assertFalse(peer.isSilent(NOW));
        assertTrue(peer.isDue(NOW));
    }

    @Test
    void aReportThatIsOlderThanTheLastAnswerIsNotBelieved() {
        assertTrue(peer.reported(5, NOW, NOW));
        assertFalse(peer.reported(6, NOW - 1, NOW + 1));
        assertEquals(5, peer.lastAnswer());
        assertTrue(peer.reported(7, NOW, NOW + 1));
        assertEquals(7, peer.lastAnswer());
    }

    @Test
    void believesTheAnswerAndWhatWasSentSinceItWasAsked() {
        send(10);
        long sentWhenAsked = peer.sentCount();
        send(3);
        assertTrue(peer.answered(20, sentWhenAsked, NOW, NOW + 60));
        assertEquals(23, peer.estimate(NOW + 60));
        send(4);
        assertEquals(27, peer.estimate(NOW + 60));
        assertEquals(20, peer.lastAnswer());
        assertEquals(60, peer.ageNanos(NOW + 60));
    }

    @Test
    void otherSettingsAreFollowedByAnAnswerThatIsThereAlready() {
        peer.answered(20, 0, NOW, NOW);
        peer.use(new QueueSettings(LIMIT, 5, SILENCE / 2, 10 * TIMEOUT));
        assertEquals(20, peer.estimate(NOW + SILENCE / 2 - 1));
        assertEquals(UNKNOWN, peer.estimate(NOW + SILENCE / 2));
        send(5);
        assertTrue(peer.isDue(NOW));
        assertTrue(peer.claimQuestion(NOW));
        assertFalse(peer.isSilent(NOW + 10 * TIMEOUT - 1));
        assertTrue(peer.isSilent(NOW + 10 * TIMEOUT));
    }

    @Test
    void isUnknownAfterSilence() {
        peer.answered(20, 0, NOW, NOW + 60);
        assertEquals(20, peer.estimate(NOW + SILENCE - 1));
        assertEquals(UNKNOWN, peer.estimate(NOW + SILENCE));
        assertEquals(UNKNOWN, peer.freshEstimate(LIMIT, NOW + SILENCE));
        assertEquals(20, peer.lastAnswer());
    }

    @Test
    void aLateAnswerIsAnOldOne() {
        assertTrue(peer.reported(5, NOW + 200, NOW + 200));
        assertFalse(peer.answered(90, 0, NOW, NOW + 300));
        assertEquals(5, peer.estimate(NOW + 300));
        // No newer answer is known: the answer is believed, and its age counts from its question.
        DepthEstimator other = new DepthEstimator(new QueueSettings(LIMIT, 50, SILENCE, TIMEOUT));
        assertTrue(other.answered(90, 0, NOW, NOW + SILENCE + 1));
        assertEquals(UNKNOWN, other.estimate(NOW + SILENCE + 1));
    }

    @Test
    void anAnswerToAnEarlierQuestionIsOlderWhateverTheClockSays() {
        long first = peer.sentCount();
        send(5);
        long second = peer.sentCount();
        assertTrue(peer.answered(30, second, NOW, NOW));
        assertFalse(peer.answered(10, first, NOW, NOW));
        assertEquals(30, peer.estimate(NOW));
        assertTrue(peer.answered(31, second, NOW, NOW), "a duplicate or a newer one");
    }

    @Test
    void anInstantYetToComeIsNow() {
        assertTrue(peer.reported(5, NOW + 1_000_000, NOW));
        assertTrue(peer.reported(6, NOW + 1, NOW + 1));
        assertEquals(6, peer.estimate(NOW + 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, QueueDepth.MAX + 1, Integer.MAX_VALUE})
    void whatIsNoDepthIsRefusedAndChangesNothing(int depth) {
        peer.answered(7, 0, NOW, NOW);
        assertThrows(IllegalArgumentException.class, () -> peer.answered(depth, 0, NOW, NOW));
        assertThrows(IllegalArgumentException.class, () -> peer.reported(depth, NOW, NOW));
        assertEquals(7, peer.estimate(NOW));
    }

    @Test
    void moreThanWasSentCannotHaveBeenSent() {
        send(3);
        assertThrows(IllegalArgumentException.class, () -> peer.answered(1, 4, NOW, NOW));
        assertThrows(IllegalArgumentException.class, () -> peer.answered(1, -1, NOW, NOW));
    }

    @Test
    void noEstimateIsAboveTheLargestDepth() {
        peer.reported(QueueDepth.MAX, NOW, NOW);
        send(1000);
        assertEquals(QueueDepth.MAX, peer.estimate(NOW));
    }

    @Test
    void aShortEstimateIsFreshUntilTwiceAsManyWereSentAsItIsAskedEvery() {
        peer.reported(0, NOW, NOW);
        DepthEstimator wide = new DepthEstimator(new QueueSettings(10_000, 50, SILENCE, TIMEOUT));
        wide.reported(0, NOW, NOW);
        for (int i = 0; i < 99; i++) {
            wide.sent();
        }
        assertEquals(99, wide.freshEstimate(10_000, NOW));
        wide.sent();
        assertEquals(UNKNOWN, wide.freshEstimate(10_000, NOW));
    }

    /** The peer may have served the messages: only its own answer shows that its queue is long. */
    @Test
    void anEstimateThatIsLongByOwnMessagesIsNotFresh() {
        peer.reported(90, NOW, NOW);
        send(9);
        assertEquals(99, peer.freshEstimate(LIMIT, NOW));
        send(1);
        assertEquals(UNKNOWN, peer.freshEstimate(LIMIT, NOW));
        assertEquals(100, peer.estimate(NOW));
        peer.reported(100, NOW, NOW);
        send(1);
        assertEquals(101, peer.freshEstimate(LIMIT, NOW));
    }

    @Test
    void isDueAfterSoManyMessagesOrHalfTheSilence() {
        peer.reported(0, NOW, NOW);
        send(49);
        assertFalse(peer.isDue(NOW + SILENCE / 2 - 1));
        assertTrue(peer.isDue(NOW + SILENCE / 2));
        send(1);
        assertTrue(peer.isDue(NOW));
        peer.reported(0, NOW, NOW);
        assertFalse(peer.isDue(NOW));
    }

    @Test
    void oneQuestionIsClaimedUntilItIsAnswered() {
        assertTrue(peer.claimQuestion(NOW));
        assertFalse(peer.claimQuestion(NOW + 1));
        assertFalse(peer.isSilent(NOW + TIMEOUT - 1));
        peer.answered(3, 0, NOW, NOW + TIMEOUT - 1);
        assertFalse(peer.isSilent(NOW + TIMEOUT));
        assertTrue(peer.claimQuestion(NOW + TIMEOUT));
    }

    @Test
    void aSilentPeerIsAskedAgainNowAndThenAndStaysSilentUntilItSpeaks() {
        assertTrue(peer.claimQuestion(NOW));
        assertTrue(peer.isSilent(NOW + TIMEOUT));
        assertFalse(peer.claimQuestion(NOW + 10 * TIMEOUT - 1));
        assertTrue(peer.claimQuestion(NOW + 10 * TIMEOUT));
        assertTrue(peer.isSilent(NOW + 10 * TIMEOUT));
        assertFalse(peer.claimQuestion(NOW + 20 * TIMEOUT - 1));
        peer.reported(3, NOW + 20 * TIMEOUT - 1, NOW + 20 * TIMEOUT - 1);
        assertFalse(peer.isSilent(NOW + 20 * TIMEOUT));
    }

    /** The first of two questions is lost, and given up after the second was answered. */
    @Test
    void aPeerThatHasAnsweredSinceIsNotSilent() {
        assertTrue(peer.claimQuestion(NOW));
        assertTrue(peer.claimQuestion(NOW + 10 * TIMEOUT));
        peer.answered(3, 0, NOW + 10 * TIMEOUT, NOW + 10 * TIMEOUT + 1);
        peer.failed(NOW, NOW + 11 * TIMEOUT);
        assertFalse(peer.isSilent(NOW + 11 * TIMEOUT));
        assertTrue(peer.claimQuestion(NOW + 12 * TIMEOUT));
        peer.failed(NOW + 12 * TIMEOUT, NOW + 12 * TIMEOUT + 1);
        assertTrue(peer.isSilent(NOW + 12 * TIMEOUT + 1));
    }

    /** The instant 0 is a valid instant. */
    @Test
    void aQuestionAtInstantZeroIsAQuestion() {
        assertTrue(peer.claimQuestion(0));
        assertFalse(peer.claimQuestion(0));
        assertTrue(peer.isSilent(TIMEOUT + 1));
    }
}
