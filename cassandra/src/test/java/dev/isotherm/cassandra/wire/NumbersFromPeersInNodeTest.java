// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.innode.NodeInProcess;
import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A question without a number gets no answer, and its number is repeated as it is. */
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
}
