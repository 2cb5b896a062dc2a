// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.common.WaitingThreads;
import dev.isotherm.limit.SilentPeers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Asks one replica of each partition to decide before the request is executed: for requests that could take effect
 * although their replicas reject them.
 *
 * <p>No answer in time counts as admitted, and so does the answer of a node without the plugin. If one replica rejects,
 * the replicas that admitted are asked to refund the operations. A replica that left a question unanswered is passed
 * over for the next nearest one.
 */
final class AdmissionQuestions {
    private static final String ASK = "isotherm.ask";
    private static final String TAKE_BACK = "isotherm.takeback";
    /** Empty for admitted; for rejected the id of the partition that is over its limit, eight bytes. */
    private static final String ANSWER = "isotherm.answer";

    private static final byte[] YES = {};
    /** A question about nothing. */
    private static final byte[] TRIAL = AdmissionParam.encode(0, 0, 1, List.of());

    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Replicas that are well answer within it, on a busy machine too. */
    private static final long BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private final LimitsInForce limits;
    private final LocalDecisions decisions;
    private final ReplicaLookup replicas;
    private final OwnMessages messages;
    private final UnreadableValues unreadable;
    private final SilentPeers<InetAddressAndPort> silent = new SilentPeers<>(PATIENCE_NANOS);
    private final WaitingThreads waiting;
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder passedOver = new LongAdder();

    /** @param requestThreads the most threads on which Cassandra serves its clients' requests */
    AdmissionQuestions(
            LimitsInForce limits,
            LocalDecisions decisions,
            ReplicaLookup replicas,
            OwnMessages messages,
            UnreadableValues unreadable,
            int requestThreads) {
        this.limits = limits;
        this.decisions = decisions;
        this.replicas = replicas;
        this.messages = messages;
        this.unreadable = unreadable;
        this.waiting = new WaitingThreads(requestThreads, PATIENCE_NANOS, BRIEF_NANOS);
    }

    /**
     * Returns a partition that its replica rejects; null if all are admitted. Waits at most 100 ms; at most 25 ms if a
     * quarter of the threads that serve requests waits already. Of tables with a dry run no answer is waited for: none
     * of them rejects anything.
     */
    TouchedPartition refused(List<TouchedPartition> partitions, int random) {
        Map<Boolean, List<TouchedPartition>> byDryRun =
                partitions.stream().collect(Collectors.partitioningBy(partition -> partition.table.dryRun));
        questions(byReplica(byDryRun.get(true)), random).forEach(question -> send(question, null));
        Map<InetAddressAndPort, List<TouchedPartition>> asked = byReplica(byDryRun.get(false));
        return asked.isEmpty() ? null : ask(questions(asked, random));
    }

    /** The partitions by the replica that is asked about them. */
    private Map<InetAddressAndPort, List<TouchedPartition>> byReplica(List<TouchedPartition> partitions) {
        Map<InetAddressAndPort, List<TouchedPartition>> byReplica = new HashMap<>();
        Set<InetAddressAndPort> allSilent = new HashSet<>();
        for (TouchedPartition partition : partitions) {
            List<InetAddressAndPort> alive = replicas.aliveByProximity(partition);
            InetAddressAndPort replica = firstThatAnswers(alive);
            if (replica != null) {
                byReplica.computeIfAbsent(replica, r -> new ArrayList<>()).add(partition);
            } else if (!alive.isEmpty()) {
                allSilent.add(alive.get(0));
            }
        }
        unanswered.add(allSilent.size());
        return byReplica;
    }

    private InetAddressAndPort firstThatAnswers(List<InetAddressAndPort> alive) {
        for (InetAddressAndPort replica : alive) {
            if (!silent.isSilent(replica)) {
                return replica;
            }
            passedOver.increment();
            if (silent.claimTrial(replica, System.nanoTime())) {
                send(new AdmissionQuestion(replica, List.of(), TRIAL), null);
            }
        }
        return null;
    }

    private List<AdmissionQuestion> questions(Map<InetAddressAndPort, List<TouchedPartition>> byReplica, int random) {
        List<AdmissionQuestion> questions = new ArrayList<>();
        byReplica.forEach((replica, asked) -> {
            List<AdmissionQuestion> about = AdmissionQuestion.about(replica, asked, random);
            unanswered.add(about.isEmpty() ? 1 : 0);
            questions.addAll(about);
        });
        return questions;
    }

    private void takeBack(AdmissionQuestion question) {
        messages.tell(question.replica, TAKE_BACK, question.encoded);
    }

    private TouchedPartition ask(List<AdmissionQuestion> questions) {
        AdmissionPoll poll = new AdmissionPoll(questions, this::takeBack);
        long patience = waiting.begin();
        try {
            questions.forEach(question -> send(question, poll));
            TouchedPartition refused = poll.await(patience);
            Set<InetAddressAndPort> missing = poll.missing();
            if (patience == PATIENCE_NANOS) {
                // A brief wait proves nothing of the replica.
                missing.forEach(replica -> silent.unanswered(replica, System.nanoTime()));
            }
            unanswered.add(poll.unanswered());
            return refused;
        } finally {
            waiting.end(patience);
        }
    }

    /** @param poll null if nobody waits for the answer */
    private void send(AdmissionQuestion question, AdmissionPoll poll) {
        long askedNanos = System.nanoTime();
        messages.ask(
                question.replica,
                ASK,
                question.encoded,
                ANSWER,
                answer -> {
                    if (poll == null) {
                        lateIsUnanswered(question, askedNanos);
                    }
                    // The ping alone is answered by a node without the plugin, on its gossip stage: it is no help.
                    if (answer == null) {
                        silent.unanswered(question.replica, System.nanoTime());
                    } else {
                        silent.answered(question.replica, askedNanos, System.nanoTime());
                    }
                    if (poll != null && !poll.answered(question, answer)) {
                        unreadable.ignore(
                                "What a replica decided could not be read; the operation is admitted for all that it says",
                                question.replica,
                                new IllegalArgumentException(
                                        answer.length + " bytes that name no partition that was asked for"));
                    }
                },
                () -> {
                    silent.failed(question.replica, askedNanos, System.nanoTime());
                    if (poll != null) {
                        poll.answered(question, null);
                    } else {
                        lateIsUnanswered(question, askedNanos);
                    }
                });
    }

    /** Nobody has waited for the question of a dry run, and so nobody has noticed that its answer was not in time. */
    private void lateIsUnanswered(AdmissionQuestion question, long askedNanos) {
        long nowNanos = System.nanoTime();
        if (!question.asked.isEmpty() && nowNanos - askedNanos > PATIENCE_NANOS) {
            silent.unanswered(question.replica, nowNanos);
            unanswered.increment();
        }
    }

    /** Answers the questions of other nodes. */
    void install(WireHandlers handlers) {
        handlers.answer(ASK, ANSWER, "A question for admission is not answered", this::answerTo);
        handlers.hear(TAKE_BACK, "What was admitted for another node is not taken back", (message, taken) -> {
            AdmissionParam admitted = AdmissionParam.read(
                    message.from(), taken, limits::get, unreadable, "What was to be taken back was malformed");
            if (admitted != null) {
                decisions.takeBack(admitted.partitions);
            }
        });
    }

    private byte[] answerTo(InetAddressAndPort asker, byte[] question) {
        AdmissionParam asked =
                AdmissionParam.read(asker, question, limits::get, unreadable, "A question for admission was malformed");
        if (asked == null) {
            return null;
        }
        TouchedPartition refused = decisions.refused(asked.partitions, asked.random);
        return refused == null
                ? YES
                : ByteBuffer.allocate(Long.BYTES).putLong(refused.id).array();
    }

    /** Forgets silent replicas that nobody asks any more. */
    void sweep() {
        silent.sweep(System.nanoTime());
    }

    /** Questions without an answer, which count as admitted, since the node started. */
    long unanswered() {
        return unanswered.sum();
    }

    /** How often a replica was not asked because it left a question unanswered, since the node started. */
    long passedOver() {
        return passedOver.sum();
    }
}
