// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

class AdmissionPollTest {
    private static final byte[] YES = {};
    private static final long LONG_NANOS = 60_000_000_000L;

    private final TouchedPartition first =
            LimitedTables.partition(LimitedTables.table("t", 1, 1, false), Operation.WRITE, 1);
    private final TouchedPartition second =
            LimitedTables.partition(LimitedTables.table("u", 1, 1, false), Operation.WRITE, 2);
    private final AdmissionQuestion[] questions = new AdmissionQuestion[4];
    private final List<InetAddressAndPort> takenBack = new ArrayList<>();
    private final AdmissionPoll poll;

    AdmissionPollTest() {
        for (int replica = 0; replica < questions.length; replica++) {
            questions[replica] = new AdmissionQuestion(node(replica), List.of(first, second), new byte[] {1});
        }
        poll = new AdmissionPoll(
                List.of(questions).subList(1, questions.length), question -> takenBack.add(question.replica));
    }

    private void answer(int replica, byte[] answer) {
        poll.answered(questions[replica], answer);
    }

    private static byte[] no(TouchedPartition partition) {
        return ByteBuffer.allocate(Long.BYTES).putLong(partition.id).array();
    }

    @Test
    void allAdmit() {
        answer(1, YES);
        answer(2, YES);
        answer(3, YES);
        assertNull(poll.await(LONG_NANOS));
        assertEquals(Set.of(), poll.missing());
        assertEquals(List.of(), takenBack);
    }

    @Test
    void aRejectionEndsTheWaitAndTakesBackWhatOthersAdmitAlsoLater() {
        answer(1, YES);
        answer(2, no(second));
        assertSame(second, poll.await(LONG_NANOS));
        assertEquals(List.of(node(1)), takenBack);
        answer(3, YES);
        assertEquals(List.of(node(1), node(3)), takenBack);
        assertEquals(Set.of(), poll.missing());
    }

    /** One that is asked twice is missing until it has answered both. */
    @Test
    void aReplicaAnswersEachOfItsQuestions() {
        AdmissionQuestion again = new AdmissionQuestion(node(1), List.of(second), new byte[] {2});
        AdmissionPoll twice =
                new AdmissionPoll(List.of(questions[1], again), question -> takenBack.add(question.replica));
        twice.answered(questions[1], YES);
        assertEquals(Set.of(node(1)), twice.missing());
        twice.answered(again, no(second));
        assertSame(second, twice.await(LONG_NANOS));
        assertEquals(List.of(node(1)), takenBack, "what the first question took");
    }

    @Test
    void anAnswerThatCannotBeReadIsNone() {
        assertTrue(poll.answered(questions[1], YES));
        assertFalse(poll.answered(questions[2], new byte[] {1, 2, 3}));
        assertFalse(poll.answered(
                questions[3], ByteBuffer.allocate(Long.BYTES).putLong(~first.id).array()));
        assertNull(poll.await(LONG_NANOS));
        assertEquals(2, poll.unanswered());
        assertEquals(Set.of(), poll.missing());
        assertEquals(List.of(), takenBack);
    }

    @Test
    void whatComesAfterTheRequestWentAheadChangesNothing() {
        answer(1, YES);
        answer(2, null);
        assertNull(poll.await(1));
        assertEquals(Set.of(node(3)), poll.missing());
        assertEquals(2, poll.unanswered(), "one cannot answer, and one has not");
        answer(3, no(first));
        assertEquals(List.of(), takenBack);
    }
}
