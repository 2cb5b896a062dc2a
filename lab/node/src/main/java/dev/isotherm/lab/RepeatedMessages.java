// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/**
 * A network that repeats messages: some that peers send arrive a second time, at any moment after the first and before
 * anything in this node has seen either. {@link ChosenMessages Which ones} is the same each time.
 *
 * <p>All but counter updates on their way to a leader: Cassandra counts one that arrives twice twice.
 */
final class RepeatedMessages {
    private static final RepeatedMessages NODE = new RepeatedMessages();

    /** Set on the thread that lets a message arrive for the second time. */
    private final ThreadLocal<Boolean> again = new ThreadLocal<>();

    private boolean attached;
    private final SentByPeer travelling = new SentByPeer();
    private volatile ChosenMessages chosen = new ChosenMessages(0, "repeated");

    private RepeatedMessages() {}

    /** The messages that reach this process. */
    static RepeatedMessages ofNode() {
        return NODE;
    }

    /** Repeats, from now on, so many of a hundred messages of this peer, or of every peer when empty. */
    synchronized void repeat(int ofHundred, String from) {
        ChosenMessages toRepeat = new ChosenMessages(ofHundred, "repeated");
        if (!attached) {
            // Added after everybody else's, and therefore asked first.
            MessagingService.instance().inboundSink.add(message -> {
                if (isRepeated(message)) {
                    arriveAgain(message);
                }
                return true;
            });
            attached = true;
        }
        travelling.only(from);
        chosen = toRepeat;
    }

    private boolean isRepeated(Message<?> message) {
        ChosenMessages repeated = chosen;
        return repeated.strikesAny()
                && again.get() == null
                && message.verb() != Verb.COUNTER_MUTATION_REQ
                && travelling.is(message)
                && repeated.strikesNext();
    }

    private void arriveAgain(Message<?> message) {
        message.verb().stage.execute(() -> {
            again.set(true);
            try {
                MessagingService.instance().inboundSink.accept(message);
            } finally {
                again.remove();
            }
        });
    }
}
