// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.FBUtilities;

/**
 * A network that repeats messages: some that peers send arrive a second time, at any moment after the first and before
 * anything in this node has seen either. Which ones is chance.
 *
 * <p>All but counter updates on their way to a leader: Cassandra counts one that arrives twice twice.
 */
final class RepeatedMessages {
    private static final RepeatedMessages NODE = new RepeatedMessages();

    /** Set on the thread that lets a message arrive for the second time. */
    private final ThreadLocal<Boolean> again = new ThreadLocal<>();

    private boolean attached;
    /** The peer whose messages are repeated, by address; empty: every peer's. */
    private volatile String peer = "";

    private volatile int percent;

    private RepeatedMessages() {}

    /** The messages that reach this process. */
    static RepeatedMessages ofNode() {
        return NODE;
    }

    /** Repeats, from now on, so many of a hundred messages of this peer, or of every peer when empty. */
    synchronized void repeat(int ofHundred, String from) {
        if (ofHundred < 0 || ofHundred > 100) {
            throw new IllegalArgumentException("of a hundred messages 0 to 100 are repeated, not " + ofHundred);
        }
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
        peer = from;
        percent = ofHundred;
    }

    private boolean isRepeated(Message<?> message) {
        int repeated = percent;
        // What a node sends to itself does not travel.
        if (repeated == 0
                || again.get() != null
                || message.verb() == Verb.COUNTER_MUTATION_REQ
                || message.from().equals(FBUtilities.getBroadcastAddressAndPort())) {
            return false;
        }
        String from = peer;
        return (from.isEmpty() || from.equals(message.from().getHostAddress(false)))
                && ThreadLocalRandom.current().nextInt(100) < repeated;
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
