// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;

/**
 * A network that loses messages: some that peers send are gone on their arrival, before anything in this node has seen
 * them. {@link ChosenMessages Which ones} is the same each time.
 *
 * <p>A link that loses both ways loses on arrival at both ends.
 */
final class LostMessages {
    private static final LostMessages NODE = new LostMessages();

    private boolean attached;
    private final SentByPeer travelling = new SentByPeer();
    private volatile ChosenMessages chosen = new ChosenMessages(0, "lost");

    private LostMessages() {}

    /** The messages that reach this process. */
    static LostMessages ofNode() {
        return NODE;
    }

    /** Loses, from now on, so many of a hundred messages of this peer, or of every peer when empty. */
    synchronized void lose(int ofHundred, String from) {
        ChosenMessages toLose = new ChosenMessages(ofHundred, "lost");
        if (!attached) {
            MessagingService.instance().inboundSink.add(message -> !isLost(message));
            attached = true;
        }
        travelling.only(from);
        chosen = toLose;
    }

    private boolean isLost(Message<?> message) {
        ChosenMessages lost = chosen;
        return lost.strikesAny() && travelling.is(message) && lost.strikesNext();
    }
}
