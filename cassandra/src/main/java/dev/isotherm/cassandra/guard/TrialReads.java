// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.NaturalReplicas;
import dev.isotherm.cassandra.runtime.UnansweredRead;
import dev.isotherm.guard.Avoided;
import dev.isotherm.guard.ReadGuard;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;

/**
 * Tries avoided replicas with copies of reads that leave for other replicas. No client waits for the answer to a copy,
 * and it reaches no read repair; a copy carries no decision of the plugin's, so that it counts for no limit and no
 * share.
 */
/*
 * A copy is taken on the thread of the read, within its statement, and sent on the plugin's own: there no statement is
 * being executed, whose values would ride on it.
 */
final class TrialReads {
    private final ReadGuard<InetAddressAndPort> guard;
    private final InetAddressAndPort self;
    private final Predicate<InetAddressAndPort> alive;
    private final Failures failures;
    /** The copies to send; at most as many as trials are granted at a time: few. */
    private final Queue<Trial> claimed = new ConcurrentLinkedQueue<>();

    private final LongAdder sent = new LongAdder();

    /** @param alive whether Cassandra considers the node alive; asked only while a replica waits for a trial */
    TrialReads(
            ReadGuard<InetAddressAndPort> guard,
            InetAddressAndPort self,
            Predicate<InetAddressAndPort> alive,
            Failures failures) {
        this.guard = guard;
        this.self = self;
        this.alive = alive;
        this.failures = failures;
    }

    /** Copies that were sent, or served by this node itself, since it started. */
    long sent() {
        return sent.sum();
    }

    /** Takes a copy of a read that leaves, if a replica of its partition waits for a trial. */
    void offer(Message<?> message, InetAddressAndPort to) {
        Avoided<InetAddressAndPort> avoided = guard.avoided();
        if (avoided.isEmpty()
                || !(message.payload instanceof SinglePartitionReadCommand)
                || !avoided.awaitsTrial(alive, System.nanoTime())) {
            return;
        }
        SinglePartitionReadCommand read = (SinglePartitionReadCommand) message.payload;
        EndpointsForToken replicas =
                NaturalReplicas.of(read.metadata(), read.partitionKey().getToken());
        InetAddressAndPort tried = avoided.claimTrial(node -> !node.equals(to) && serves(node, replicas));
        if (tried != null) {
            claimed.add(new Trial(read.copy(), tried));
        }
    }

    private boolean serves(InetAddressAndPort node, EndpointsForToken replicas) {
        Replica replica = replicas.byEndpoint().get(node);
        return replica != null && replica.isFull() && alive.test(node);
    }

    /** Sends the copies that were taken. Never throws; a trial whose copy cannot be sent is granted again. */
    void send() {
        for (Trial trial = claimed.poll(); trial != null; trial = claimed.poll()) {
            try {
                send(trial);
                sent.increment();
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failures.record("A copy of a read that tries an avoided replica was not sent", e);
            }
        }
    }

    private void send(Trial trial) {
        if (trial.replica.equals(self)) {
            serve(trial.read);
        } else {
            MessagingService.instance()
                    .sendWithCallback(Message.out(Verb.READ_REQ, trial.read), trial.replica, new NobodyWaits());
        }
    }

    /** Reads locally as for another coordinator, within the same time, and drops the answer. */
    private void serve(SinglePartitionReadCommand read) {
        long now = System.nanoTime();
        Stage.READ.execute(() -> UnansweredRead.serve(read, now, failures, "A trial of this node's own reads failed"));
    }

    private static final class NobodyWaits implements RequestCallback<Object> {
        @Override
        public void onResponse(Message<Object> answer) {
            // The guard has taken it on its way in.
        }

        @Override
        public boolean invokeOnFailure() {
            return true; // A replica that refuses the read says so, and is heard of.
        }
    }

    private static final class Trial {
        final SinglePartitionReadCommand read;
        final InetAddressAndPort replica;

        Trial(SinglePartitionReadCommand read, InetAddressAndPort replica) {
            this.read = read;
            this.replica = replica;
        }
    }
}
