// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;

/**
 * Messages of the plugin as responses to nothing: the response to a hint, with the number 0, which no request has.
 *
 * <p>Cassandra serves responses on several threads that do nothing else, and drops one that it does not wait for
 * without a word: a node without the plugin does that too. A question carries its number, which its answer repeats: 16
 * bytes, big-endian, 8 drawn by the asking process and 8 of the question. So no answer to an earlier process is taken
 * for one of this.
 */
final class UnaskedResponses {
    /** Nothing else of the plugin rides on this verb or is read from it. */
    static final Verb VERB = Verb.HINT_RSP;

    private static final String NUMBER = "isotherm.question";
    private static final String ANSWERED = "isotherm.answered";
    private static final int NUMBER_BYTES = 2 * Long.BYTES;
    private static final long PROCESS = ThreadLocalRandom.current().nextLong();

    private UnaskedResponses() {}

    /** News that expect no answer. */
    static Message<NoPayload> news(String param, byte[] value) {
        // A response takes the trace of the present thread along, and ends it here: that of a client's request.
        ExecutorLocals ofThread = ExecutorLocals.current();
        ExecutorLocals.clear();
        try {
            return CustomParams.with(Message.internalResponse(VERB, NoPayload.noPayload), param, value);
        } finally {
            ofThread.close();
        }
    }

    /** A question; Cassandra waits for its answer under this id. */
    static Message<NoPayload> question(String param, byte[] value, long id) {
        byte[] number =
                ByteBuffer.allocate(NUMBER_BYTES).putLong(PROCESS).putLong(id).array();
        return CustomParams.with(news(param, value), NUMBER, number);
    }

    /**
     * The answer to a question that arrived as an unasked response.
     *
     * @throws UnreadableValueException if the question has no number: nobody could tell whom the answer is for
     */
    static Message<NoPayload> answer(Message<?> question, String param, byte[] value) {
        byte[] number = CustomParams.of(question, NUMBER);
        if (number == null || number.length != NUMBER_BYTES) {
            throw new UnreadableValueException("a question of " + question.from() + " has "
                    + (number == null ? "no number" : "a number of " + number.length + " bytes"));
        }
        return CustomParams.with(news(param, value), ANSWERED, number);
    }

    /** Hands the answers that arrive to those who asked. */
    static WireHandlers answers() {
        WireHandlers handlers = new WireHandlers();
        handlers.receive(VERB, ANSWERED, "An answer to a question of the plugin is ignored", (answer, number) -> {
            if (number.length != NUMBER_BYTES) {
                throw new UnreadableValueException(
                        "the number of an answer of " + answer.from() + " has " + number.length + " bytes");
            }
            ByteBuffer read = ByteBuffer.wrap(number);
            if (read.getLong() == PROCESS) {
                MessagingService.instance().callbacks.removeAndRespond(read.getLong(), answer.from(), answer);
            }
            return false;
        });
        return handlers;
    }
}
