// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.wire.Pings;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Asks one replica of each partition to decide before the request is executed: for requests that could take effect
 * although their replicas reject them.
 *
 * <p>The question is a ping with a parameter, the answer a pong with one. No answer in time counts as admitted, and so
 * does the answer of a node without the plugin. If one replica rejects, the replicas that admitted are asked to refund
 * the operations.
 */
final class AdmissionQuestions {
    private static final String ASK = "isotherm.ask";
    private static final String TAKE_BACK = "isotherm.takeback";
    /** Empty for admitted; for rejected the id of the partition that is over its limit, eight bytes. */
    private static final String ANSWER = "isotherm.answer";

    private static final byte[] YES = {};
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LimitsInForce limits;
    private final LocalDecisions decisions;
    private final ReplicaLookup replicas;
    private final LongAdder unanswered = new LongAdder();

    AdmissionQuestions(LimitsInForce limits, LocalDecisions decisions, ReplicaLookup replicas) {
        this.limits = limits;
        this.decisions = decisions;
        this.replicas = replicas;
    }

    /** Returns a partition that its replica rejects; null if all are admitted. Waits at most 100 ms. */
    TouchedPartition refused(List<TouchedPartition> partitions, int random) {
        Map<InetAddressAndPort, List<TouchedPartition>> byReplica = new HashMap<>();
        for (TouchedPartition partition : partitions) {
            InetAddressAndPort replica = replicas.nearestAlive(partition);
            if (replica != null) {
                byReplica.computeIfAbsent(replica, r -> new ArrayList<>()).add(partition);
            }
        }
        Poll poll = new Poll(byReplica.size());
        byReplica.forEach((replica, asked) -> {
            byte[] question = AdmissionParam.encode(0, random, 1, asked);
            Pings.ask(replica, ASK, question, ANSWER, answer -> poll.answered(replica, question, asked, answer));
        });
        TouchedPartition refused = poll.await();
        unanswered.add(poll.unanswered());
        return refused;
    }

    /** Answers the questions of other nodes. */
    void install(WireHandlers handlers) {
        handlers.answer(ASK, ANSWER, "A question for admission is not answered", this::answerTo);
        handlers.hear(TAKE_BACK, "What was admitted for another node is not taken back", (ping, taken) -> {
            decisions.takeBack(AdmissionParam.decode(taken, limits::get).partitions);
            return false;
        });
    }

    private byte[] answerTo(byte[] question) {
        AdmissionParam asked = AdmissionParam.decode(question, limits::get);
        TouchedPartition refused = decisions.refused(asked.partitions, asked.random);
        return refused == null
                ? YES
                : ByteBuffer.allocate(Long.BYTES).putLong(refused.id).array();
    }

    /** Questions without an answer, which count as admitted, since the node started. */
    long unanswered() {
        return unanswered.sum();
    }

    /** The answers to one request's questions. */
    private static final class Poll {
        private final Map<InetAddressAndPort, byte[]> admitted = new HashMap<>();
        private int outstanding;
        private int unanswered;
        private TouchedPartition refused;

        Poll(int questions) {
            this.outstanding = questions;
        }

        synchronized void answered(
                InetAddressAndPort replica, byte[] question, List<TouchedPartition> asked, byte[] answer) {
            outstanding--;
            if (answer == null) {
                unanswered++;
            } else if (answer.length == 0) {
                admitted.put(replica, question);
            } else if (refused == null) {
                refused = asked.get(0);
                for (TouchedPartition partition : asked) {
                    if (answer.length == Long.BYTES
                            && partition.id == ByteBuffer.wrap(answer).getLong()) {
                        refused = partition;
                    }
                }
            }
            if (refused != null) {
                // Also for an admission that arrives after the rejection.
                admitted.forEach((r, q) -> Pings.tell(r, TAKE_BACK, q));
                admitted.clear();
            }
            notifyAll();
        }

        synchronized TouchedPartition await() {
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            try {
                for (long left = PATIENCE_NANOS;
                        outstanding > 0 && refused == null && left > 0;
                        left = deadline - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return refused;
        }

        synchronized int unanswered() {
            return refused == null ? unanswered + outstanding : unanswered;
        }
    }
}
