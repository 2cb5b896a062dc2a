// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.common.WaitingThreads;
import dev.isotherm.queue.AskRound;
import dev.isotherm.queue.DecisionKind;
import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.LeaderChoice;
import dev.isotherm.queue.LeaderDecision;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.QueueSettings;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Chooses the leader of a counter update among replicas; asks peers and waits if necessary. */
final class LeaderChooser {
    private static final long AS_LONG_AS_THE_ROUND = Long.MAX_VALUE;
    private static final long NOT_AT_ALL = 0;

    private final InetAddressAndPort self;
    private final LocalQueue queue;
    private final PeerQueues peers;
    private final QueueQuestions questions;
    private final DecisionCounts counts;
    private final LeaderChoice choice;
    private final WaitingThreads waitingThreads;

    /** @param requestThreads the most threads on which Cassandra serves its clients' requests */
    LeaderChooser(
            QueueSettings settings,
            InetAddressAndPort self,
            LocalQueue queue,
            PeerQueues peers,
            QueueQuestions questions,
            DecisionCounts counts,
            int requestThreads) {
        this.choice = new LeaderChoice(settings);
        this.self = self;
        this.queue = queue;
        this.peers = peers;
        this.questions = questions;
        this.counts = counts;
        this.waitingThreads = new WaitingThreads(requestThreads, AS_LONG_AS_THE_ROUND, NOT_AT_ALL);
    }

    /** Follows other settings from the next choice on. */
    void use(QueueSettings changed) {
        choice.use(changed);
    }

    /**
     * Chooses one of the replicas, all of which can lead; the choices of one statement wait at most the timeout of the
     * settings together, and not at all while a quarter of the threads that serve requests waits for other choices.
     */
    InetAddressAndPort among(List<InetAddressAndPort> replicas, CounterUpdate update) {
        boolean isReplica = replicas.contains(self);
        int depth = isReplica ? queue.weighedDepth(System.nanoTime()) : QueueDepth.UNKNOWN;
        if (choice.staysHere(depth, queue.hasFreeThread())) {
            return hereOrToCompare(replicas);
        }
        InetAddressAndPort[] others =
                replicas.stream().filter(r -> !r.equals(self)).toArray(InetAddressAndPort[]::new);
        DepthEstimator[] candidates = new DepthEstimator[others.length];
        for (int i = 0; i < others.length; i++) {
            candidates[i] = peers.of(others[i]);
        }
        int random = ThreadLocalRandom.current().nextInt();
        int decision = choice.decide(candidates, others.length, depth, random, System.nanoTime());
        if (decision == LeaderDecision.UNDECIDED) {
            decision = afterAsking(others, candidates, depth, random, update);
        }
        askInBackground(others, candidates);
        if (LeaderDecision.kind(decision) == DecisionKind.LOCAL) {
            return hereOrToCompare(replicas);
        }
        counts.decided(LeaderDecision.kind(decision), isReplica);
        int target = LeaderDecision.target(decision);
        return target == LeaderDecision.HERE ? self : others[target];
    }

    private InetAddressAndPort hereOrToCompare(List<InetAddressAndPort> replicas) {
        InetAddressAndPort other = toCompare(replicas);
        counts.decided(other == null ? DecisionKind.LOCAL : DecisionKind.REDIRECTED, true);
        return other == null ? self : other;
    }

    /** Another replica that leads now and then what this node would, so that the speeds of both are known; or null. */
    private InetAddressAndPort toCompare(List<InetAddressAndPort> replicas) {
        long now = System.nanoTime();
        if (replicas.size() < 2 || !peers.claimComparison(queue.serviceNanos(), now)) {
            return null;
        }
        int start = ThreadLocalRandom.current().nextInt(replicas.size());
        for (int i = 0; i < replicas.size(); i++) {
            InetAddressAndPort other = replicas.get((start + i) % replicas.size());
            if (!other.equals(self) && !peers.of(other).isSilent(now)) {
                peers.of(other).sent();
                return other;
            }
        }
        return null;
    }

    /** Asks for new depths, so that the next choice need not wait. */
    private void askInBackground(InetAddressAndPort[] others, DepthEstimator[] candidates) {
        int due = choice.claimQuestions(candidates, candidates.length, System.nanoTime());
        for (int i = 0; i < candidates.length; i++) {
            if ((due & 1 << i) != 0) {
                questions.ask(others[i], candidates[i]);
            }
        }
    }

    private int afterAsking(
            InetAddressAndPort[] others, DepthEstimator[] candidates, int depth, int random, CounterUpdate update) {
        Thread waiting = Thread.currentThread();
        AskRound round =
                new AskRound(choice, candidates, others.length, depth, random, () -> LockSupport.unpark(waiting));
        int toAsk = round.open(System.nanoTime());
        for (int i = 0; i < others.length; i++) {
            if ((toAsk & 1 << i) != 0) {
                questions.ask(others[i], candidates[i]);
            }
        }
        long patience = waitingThreads.begin();
        try {
            long until = update.waitsUntil(round.deadlineNanos());
            long now = System.nanoTime();
            if (patience == NOT_AT_ALL || until - now <= 0) {
                round.timedOut(now);
            }
            await(round, until);
        } finally {
            waitingThreads.end(patience);
        }
        return round.decision();
    }

    private void await(AskRound round, long untilNanos) {
        while (!round.isSettled()) {
            long left = untilNanos - System.nanoTime();
            if (left <= 0) {
                if (round.timedOut(System.nanoTime())) {
                    counts.timedOut();
                }
                break;
            }
            LockSupport.parkNanos(round, left);
        }
    }
}
