// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.cassandra.wire.NodePace;
import dev.isotherm.cassandra.wire.Rider;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.queue.QueueDepth;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;

/**
 * Adds the depth of this node's queue to its responses to writes: to each response of a counter's leader, and to other
 * writes' responses at most once in 20 ms per node.
 */
final class QueuePiggyback implements Rider {
    private static final List<Verb> ANSWERS = List.of(Verb.COUNTER_MUTATION_RSP, Verb.MUTATION_RSP);
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final BooleanSupplier on;
    private final BooleanSupplier servesCounters;
    private final LocalQueue queue;
    private final PeerQueues peers;
    private final QueueQuestions questions;
    private final NodePace pace = new NodePace(INTERVAL_NANOS);

    /**
     * @param on whether the feature is on
     * @param servesCounters whether the schema has counter tables
     */
    QueuePiggyback(
            BooleanSupplier on,
            BooleanSupplier servesCounters,
            LocalQueue queue,
            PeerQueues peers,
            QueueQuestions questions) {
        this.on = on;
        this.servesCounters = servesCounters;
        this.queue = queue;
        this.peers = peers;
        this.questions = questions;
    }

    void install(WireHandlers handlers) {
        handlers.ride(ANSWERS, QueueQuestions.DEPTH, "A response goes out without the depth of the queue", this);
        handlers.receive(ANSWERS, QueueQuestions.DEPTH, "The depth on a response is ignored", (response, encoded) -> {
            int depth = questions.depthIn(response.from(), encoded);
            if (depth != QueueDepth.UNKNOWN) {
                long now = System.nanoTime();
                peers.of(response.from()).reported(depth, now, now);
            }
            return true;
        });
    }

    /** The depth, if the response should carry one. */
    @Override
    public byte[] valueFor(Message<?> answer, InetAddressAndPort to) {
        if (!on.getAsBoolean()) {
            return null;
        }
        boolean leads = answer.verb() == Verb.COUNTER_MUTATION_RSP;
        return leads || servesCounters.getAsBoolean() && pace.isDue(to, System.nanoTime()) ? queue.encoded() : null;
    }

    /** Forgets a node that left the cluster. */
    void removed(InetAddressAndPort node) {
        pace.removed(node);
    }
}
