// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.queue.LocalQueue;
import dev.isotherm.cassandra.queue.PeerQueues;
import dev.isotherm.queue.QueueDepth;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/**
 * The depth of this node's queue on its answers to writes: on each of a counter's leader, and on others now and then while
 * counters are being updated here.
 */
public final class QueuePiggyback {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final BooleanSupplier servesCounters;
    private final LocalQueue queue;
    private final PeerQueues peers;
    private final QueueQuestions questions;
    private final Failures failures;
    private final Map<InetAddressAndPort, AtomicLong> lastSentNanos = new ConcurrentHashMap<>();
    private final ThreadLocal<Boolean> sending = ThreadLocal.withInitial(() -> false);

    /** @param servesCounters whether this node has been a counter's replica lately */
    public QueuePiggyback(
            BooleanSupplier servesCounters,
            LocalQueue queue,
            PeerQueues peers,
            QueueQuestions questions,
            Failures failures) {
        this.servesCounters = servesCounters;
        this.queue = queue;
        this.peers = peers;
        this.questions = questions;
        this.failures = failures;
    }

    /** The outbound predicate: replaces a response by one that carries the depth, where one is due. */
    public boolean onOutbound(Message<?> message, InetAddressAndPort to) {
        boolean leads = message.verb() == Verb.COUNTER_MUTATION_RSP;
        if (!leads && !(message.verb() == Verb.MUTATION_RSP && servesCounters.getAsBoolean() && isDue(to))
                || sending.get()) {
            return true;
        }
        Message<?> carrying;
        try {
            carrying = QueueQuestions.withDepth(message, queue);
        } catch (RuntimeException | LinkageError e) {
            failures.record("A response goes out without the depth of the queue", e);
            return true;
        }
        sending.set(true);
        try {
            MessagingService.instance().send(carrying, to);
        } finally {
            sending.set(false);
        }
        return false;
    }

    private boolean isDue(InetAddressAndPort to) {
        long now = System.nanoTime();
        AtomicLong last = lastSentNanos.computeIfAbsent(to, t -> new AtomicLong(now - INTERVAL_NANOS));
        long sent = last.get();
        return now - sent >= INTERVAL_NANOS && last.compareAndSet(sent, now);
    }

    /** The inbound predicate: takes the depth off a response; always lets the message pass. */
    public boolean onInbound(Message<?> message) {
        if (message.verb() == Verb.COUNTER_MUTATION_RSP || message.verb() == Verb.MUTATION_RSP) {
            try {
                int depth = questions.depthOf(message);
                if (depth != QueueDepth.UNKNOWN) {
                    long now = System.nanoTime();
                    peers.of(message.from()).reported(depth, now, now);
                }
            } catch (RuntimeException | LinkageError e) {
                failures.record("The depth on a response is ignored", e);
            }
        }
        return true;
    }

    /** Forgets a node that left. */
    public void removed(InetAddressAndPort node) {
        lastSentNanos.remove(node);
    }
}
