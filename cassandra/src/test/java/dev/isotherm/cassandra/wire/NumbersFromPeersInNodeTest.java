// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.isotherm.cassandra.innode.NodeInProcess;
import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The numbers by which questions and answers find each other. */
class NumbersFromPeersInNodeTest {
    private static final int BYTES = 16;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    private static byte[] number(SplittableRandom random) {
        byte[] number = new byte[BYTES];
        random.nextBytes(number);
        return number;
    }

    /** A question without a number gets no answer, and its number is repeated as it is. */
    @Test
    void numbersOfQuestions() {
        Message<NoPayload> unnumbered = Message.synthetic(node(7), Verb.HINT_RSP, NoPayload.noPayload);
        MangledBytes.give(71, NumbersFromPeersInNodeTest::number, bytes -> {
            Message<NoPayload> question = CustomParams.with(unnumbered, "isotherm.question", bytes);
            try {
                Message<NoPayload> answer = UnaskedResponses.answer(question, "answer", new byte[0]);
                assertArrayEquals(bytes, CustomParams.of(answer, "isotherm.answered"));
                assertEquals(BYTES, bytes.length);
                return true;
            } catch (UnreadableValueException refused) {
                return false;
            }
        });
    }

    /** That of an answer: of this process it is looked up, of another refused in silence, both without a trace. */
    @Test
    void numbersOfAnswers() {
        Receiver receiver = UnaskedResponses.answers().receivers.get(0).receiver;
        Message<NoPayload> answer = Message.internalResponse(UnaskedResponses.VERB, NoPayload.noPayload);
        MangledBytes.give(
                13, random -> random.nextBoolean() ? number(random) : ofThisProcess(random.nextLong()), bytes -> {
                    try {
                        assertFalse(receiver.received(answer, bytes));
                        assertEquals(BYTES, bytes.length);
                        return true;
                    } catch (UnreadableValueException refused) {
                        assertNotEquals(BYTES, bytes.length);
                        return false;
                    }
                });
    }

    private static byte[] ofThisProcess(long id) {
        return CustomParams.of(UnaskedResponses.question("isotherm.none", new byte[0], id), "isotherm.question");
    }
}
