// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.limit.LimitsInForce;
import dev.isotherm.cassandra.limit.LocalDecisions;
import dev.isotherm.cassandra.limit.ReplicasOf;
import dev.isotherm.cassandra.limit.TouchedPartition;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.ConnectionType;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.PingRequest;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;

/**
 * Asks one replica to decide before anything is done: for writes that could otherwise be left behind half rejected.
 *
 * <p>The question is a ping with a parameter, the answer a pong with one. Whoever does not answer in time, or answers as a
 * node without the plugin does, has admitted.
 */
public final class AdmissionQuestions {
    private static final String ASK = "isotherm.ask";
    private static final String ANSWER = "isotherm.answer";
    private static final byte[] YES = {1};
    private static final byte[] NO = {0};
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LimitsInForce limits;
    private final LocalDecisions decisions;
    private final ReplicasOf replicas;
    private final Failures failures;
    private final LongAdder unanswered = new LongAdder();

    public AdmissionQuestions(LimitsInForce limits, LocalDecisions decisions, ReplicasOf replicas, Failures failures) {
        this.limits = limits;
        this.decisions = decisions;
        this.replicas = replicas;
        this.failures = failures;
    }

    /** A partition that its replica does not admit; null when all are admitted. Waits at most 100 ms. */
    public TouchedPartition refused(List<TouchedPartition> partitions, int random) {
        Map<InetAddressAndPort, List<TouchedPartition>> byReplica = new HashMap<>();
        for (TouchedPartition partition : partitions) {
            InetAddressAndPort replica = replicas.nearestAlive(partition);
            if (replica != null) {
                byReplica.computeIfAbsent(replica, r -> new ArrayList<>()).add(partition);
            }
        }
        BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        byReplica.forEach((replica, asked) -> ask(replica, asked, random, answers));
        return firstRefused(byReplica.size(), answers);
    }

    private void ask(InetAddressAndPort replica, List<TouchedPartition> asked, int random, BlockingQueue<Answer> answers) {
        Message<PingRequest> question = CustomParams.with(
            Message.out(Verb.PING_REQ, PingRequest.get(ConnectionType.URGENT_MESSAGES)),
            ASK, AdmissionParam.encode(0, random, 1, asked));
        RequestCallback<NoPayload> callback = response -> answers.add(new Answer(asked, CustomParams.of(response, ANSWER)));
        MessagingService.instance().sendWithCallback(question, replica, callback);
    }

    private TouchedPartition firstRefused(int expected, BlockingQueue<Answer> answers) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        try {
            for (int i = 0; i < expected; i++) {
                Answer answer = answers.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (answer == null || answer.param == null) {
                    unanswered.increment();
                } else if (answer.param.length == 1 && answer.param[0] == NO[0]) {
                    return answer.asked.get(0);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    /** The inbound predicate: answers questions. */
    public boolean onInbound(Message<?> message) {
        if (message.verb() != Verb.PING_REQ) {
            return true;
        }
        try {
            byte[] param = CustomParams.of(message, ASK);
            if (param == null) {
                return true;
            }
            AdmissionParam asked = AdmissionParam.decode(param, limits::get);
            boolean admitted = decisions.refused(asked.partitions, asked.random) == null;
            MessagingService.instance().send(
                CustomParams.with(message.emptyResponse(), ANSWER, admitted ? YES : NO), message.respondTo());
            return false;
        } catch (RuntimeException | LinkageError e) {
            failures.record("A question for admission is not answered", e);
            return true;
        }
    }

    /** Questions that went unanswered, and so were taken for admitted, since the node started. */
    public long unanswered() {
        return unanswered.sum();
    }

    /** A replica's answer to the question about some partitions; without a parameter when it has no plugin. */
    private static final class Answer {
        final List<TouchedPartition> asked;
        final byte[] param;

        Answer(List<TouchedPartition> asked, byte[] param) {
            this.asked = asked;
            this.param = param;
        }
    }
}
