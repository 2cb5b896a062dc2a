// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/**
 * One feature's handlers of messages and gossip; {@link Wire#install} installs them.
 *
 * <p>Each {@code whenItFails} is a sentence that states the effect when the handler throws; the message itself is
 * delivered in any case.
 */
public final class WireHandlers {
    final List<Riding> riders = new ArrayList<>();
    final List<Receiving> receivers = new ArrayList<>();
    final List<GossipState> gossip = new ArrayList<>();
    final List<LocalReadSubscriber.Watcher> localReads = new ArrayList<>();

    /** Adds the rider's value, if it provides one, to each message of these verbs. */
    public void ride(Collection<Verb> verbs, String param, String whenItFails, Rider rider) {
        verbs.forEach(verb -> riders.add(new Riding(verb, param, whenItFails, rider, null)));
    }

    /** Calls the watcher once for each message of these verbs that leaves. */
    public void watch(Collection<Verb> verbs, String whenItFails, BiConsumer<Message<?>, InetAddressAndPort> watcher) {
        verbs.forEach(verb -> riders.add(new Riding(verb, null, whenItFails, null, watcher)));
    }

    /**
     * Calls the watcher at the end of each read that this node serves for itself, which no message tells of.
     *
     * @param ended is given the nanoseconds that the read took, on the read's thread
     */
    public void watchLocalReads(String whenItFails, LongConsumer ended) {
        localReads.add(new LocalReadSubscriber.Watcher(whenItFails, ended));
    }

    /** Passes on the parameter's value from each message of these verbs that carries it. */
    public void receive(Collection<Verb> verbs, String param, String whenItFails, Receiver receiver) {
        verbs.forEach(verb -> receive(verb, param, whenItFails, receiver));
    }

    /** Passes on each message of the verb, with or without parameters: the value is null. */
    public void receiveAll(Verb verb, String whenItFails, Receiver receiver) {
        receivers.add(new Receiving(verb, null, whenItFails, receiver));
    }

    /** Passes on the parameter's value from each message of the verb that carries it. */
    void receive(Verb verb, String param, String whenItFails, Receiver receiver) {
        receivers.add(new Receiving(verb, param, whenItFails, receiver));
    }

    /**
     * Answers the questions that other nodes {@link OwnMessages#ask}, in the way in which each was asked.
     *
     * @param answerTo computes the answer from who asks and the question's value; several threads may call it at once.
     *     A question for which it returns null has none, and goes on to Cassandra
     */
    public void answer(
            String question,
            String answer,
            String whenItFails,
            BiFunction<InetAddressAndPort, byte[], byte[]> answerTo) {
        receive(Verb.PING_REQ, question, whenItFails, (ping, value) -> {
            byte[] answered = answerTo.apply(ping.from(), value);
            if (answered == null) {
                return true;
            }
            Message<?> pong = CustomParams.with(ping.emptyResponse(), answer, answered);
            MessagingService.instance().send(pong, ping.respondTo());
            return false;
        });
        receive(UnaskedResponses.VERB, question, whenItFails, (asked, value) -> {
            byte[] answered = answerTo.apply(asked.from(), value);
            if (answered == null) {
                return true;
            }
            MessagingService.instance().send(UnaskedResponses.answer(asked, answer, answered), asked.from());
            return false;
        });
    }

    /** Receives the values that other nodes {@link OwnMessages#tell}; several threads may call the receiver at once. */
    public void hear(String news, String whenItFails, BiConsumer<Message<?>, byte[]> receiver) {
        for (Verb verb : List.of(Verb.PING_REQ, UnaskedResponses.VERB)) {
            receive(verb, news, whenItFails, (message, value) -> {
                receiver.accept(message, value);
                return false;
            });
        }
    }

    /** Subscribes to a state of gossip. */
    public void follow(GossipState state) {
        gossip.add(state);
    }

    /** A rider or a watcher, and the messages that the one adds values to and the other sees. */
    static final class Riding {
        final Verb verb;
        final String param;
        final String whenItFails;
        private final Rider rider;
        private final BiConsumer<Message<?>, InetAddressAndPort> watcher;

        private Riding(
                Verb verb,
                String param,
                String whenItFails,
                Rider rider,
                BiConsumer<Message<?>, InetAddressAndPort> watcher) {
            this.verb = verb;
            this.param = param;
            this.whenItFails = whenItFails;
            this.rider = rider;
            this.watcher = watcher;
        }

        /** The value for the message; null for none, which is all that a watcher has. */
        byte[] valueFor(Message<?> message, InetAddressAndPort to) {
            if (watcher == null) {
                return rider.valueFor(message, to);
            }
            watcher.accept(message, to);
            return null;
        }
    }

    /** A receiver and the messages whose values it receives; without a parameter, all messages of its verb. */
    static final class Receiving {
        final Verb verb;
        final String param;
        final String whenItFails;
        final Receiver receiver;

        private Receiving(Verb verb, String param, String whenItFails, Receiver receiver) {
            this.verb = verb;
            this.param = param;
            this.whenItFails = whenItFails;
            this.receiver = receiver;
        }
    }
}
