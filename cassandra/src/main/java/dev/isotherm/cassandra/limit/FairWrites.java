// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.limit.Operation;
import dev.isotherm.share.WatchedPartition;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.db.CounterMutation;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.exceptions.CassandraException;
import org.apache.cassandra.exceptions.WriteFailureException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;

/**
 * Admits or refuses writes of one partition by its fair share.
 *
 * <p>A write that one replica refuses and another applies would be there and not there. So nothing is refused once a
 * message has left: the coordinator decides alone, by its own shares if it is a replica and by what the replicas have
 * told it with their answers, and every replica counts what it has admitted. Of a counter update the leader decides as
 * well, by the same number: nobody has applied anything yet.
 */
final class FairWrites {
    private final FairPool writes;
    private final FairPool counters;
    private final WriteTimes times;
    private final ReplicaLookup replicas;
    private final ShareRefusals refusals;
    private final CassandraVersion version;
    private final UnreadableValues unreadable;
    private final Failures failures;
    private final StatementScope.Slot<ShareDecision> slot = new StatementScope.Slot<>(ShareDecision::new);
    private final StatementScope.Slot<ToLeader> toLeader = new StatementScope.Slot<>(ToLeader::new);

    /** The present statement's message to the leader of a counter update. */
    private final class ToLeader implements StatementScope.Part {
        private boolean sent;
        private long message;

        void sent(long number) {
            clear();
            sent = true;
            message = number;
            refusals.await(number);
        }

        /** Whether and why this very message was refused: after any other failure the update may be applied. */
        ShareRefusals.Refusal refusal() {
            return sent ? refusals.ofAwaited(message) : null;
        }

        @Override
        public void clear() {
            if (sent) {
                refusals.forget(message);
                sent = false;
            }
        }
    }

    /**
     * @param writes the threads that apply writes
     * @param counters the threads on which leaders apply counter updates
     */
    FairWrites(
            FairPool writes,
            FairPool counters,
            WriteTimes times,
            ReplicaLookup replicas,
            ShareRefusals refusals,
            CassandraVersion version,
            UnreadableValues unreadable,
            Failures failures) {
        this.writes = writes;
        this.counters = counters;
        this.times = times;
        this.replicas = replicas;
        this.refusals = refusals;
        this.version = version;
        this.unreadable = unreadable;
        this.failures = failures;
    }

    /**
     * Decides about the present statement if it writes one partition.
     *
     * @throws FairShareRejection if it is refused
     */
    void admit(StatementScope scope) {
        if (!writes.isOn() || !WrittenPartition.isPlainWrite(scope.statement())) {
            return;
        }
        FairPool pool = WrittenPartition.isOfCounters(scope.statement()) ? counters : writes;
        FairShareRejection rejection;
        try {
            WrittenPartition written = WrittenPartition.of(scope, version);
            rejection = written == null ? null : rejection(scope, pool, written);
            // What is read first would count as if threads that apply writes were held meanwhile.
            if (rejection == null && !WrittenPartition.readsFirst(scope.statement())) {
                boolean refusable = scope.part(slot).isDecided();
                times.watch(scope, pool, refusable ? written.table : null, refusable ? written.id : 0);
            }
        } catch (CassandraException e) {
            // A mistake of the client's: Cassandra finds the same fault and reports it in its own order.
            return;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A write is admitted without regard to its fair share", e);
            return;
        }
        if (rejection != null) {
            throw rejection;
        }
    }

    private FairShareRejection rejection(StatementScope scope, FairPool pool, WrittenPartition written) {
        boolean here = replicas.isHere(written.table, written.token);
        WatchedPartition watched = here ? pool.watched(written.id) : null;
        int random = ThreadLocalRandom.current().nextInt();
        pool.saw(written.table, written.id, written.key, random);
        ShareDecision decision = scope.part(slot);
        WatchedPartition refusing =
                decision.refusing(scope, pool, written.table, written.token, written.id, watched, random);
        if (refusing != null) {
            return rejection(written, refusing.held(), refusing.mayHold());
        }
        // Of a counter update any replica may be the leader, which then refuses by its own shares.
        boolean isTold = pool == writes && decision.isDecided() && refusals.isPartlyAdmitted(written.id);
        return isTold && writes.mayRefuse(written.table) ? asTold(scope, written, decision, watched) : null;
    }

    /** The rejection by what replicas have told of their shares, as each has to apply the write; null for none. */
    private FairShareRejection asTold(
            StatementScope scope, WrittenPartition written, ShareDecision decision, WatchedPartition watched) {
        List<InetAddressAndPort> applying =
                replicas.contactable(written.table, written.token, WrittenPartition.level(scope));
        ShareRefusals.Refusal told = refusals.last(written.id, applying);
        double part = told == null ? 1 : refusals.admitted(written.id, applying, applying.size(), System.nanoTime());
        if (!decision.refusesAsToldToo(scope, part, watched == null ? 1 : watched.admittedPart())) {
            return null;
        }
        writes.refusedAsTold();
        return rejection(written, told.held, told.mayHold);
    }

    private static FairShareRejection rejection(WrittenPartition written, double held, double mayHold) {
        return new FairShareRejection(written.table, Operation.WRITE, held, mayHold);
    }

    /** The exception for the client if the leader has refused the present counter update; null otherwise. */
    FairShareRejection failed(StatementScope scope, Throwable failure) {
        ShareRefusals.Refusal refusal =
                failure instanceof WriteFailureException ? scope.part(toLeader).refusal() : null;
        if (refusal == null) {
            return null;
        }
        try {
            WrittenPartition written = WrittenPartition.of(scope, version);
            return written == null ? null : rejection(written, refusal.held, refusal.mayHold);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A refused write fails without its reason", e);
            return null;
        }
    }

    /** Counts and times other coordinators' writes, and decides about their counter updates. */
    void install(WireHandlers handlers) {
        handlers.ride(
                List.of(Verb.MUTATION_REQ, Verb.COUNTER_MUTATION_REQ),
                ShareDecision.PARAM,
                "A write is not known to have been decided about",
                (write, to) -> writes.isOn() ? decision(write) : null);
        handlers.ride(
                List.of(Verb.MUTATION_RSP),
                ShareRefusals.WOULD_REFUSE,
                "A coordinator is not told what of a partition's writes would be refused",
                (response, to) -> writes.isOn() ? wouldRefuse(response) : null);
        handlers.receiveAll(Verb.MUTATION_REQ, "The time of a write is not counted", (write, none) -> {
            if (writes.isOn()) {
                begin(write);
            }
            return true;
        });
        handlers.receiveAll(
                Verb.COUNTER_MUTATION_REQ,
                "A counter update is served without regard to its fair share",
                (update, none) -> !counters.isOn() || isAdmitted(update));
        handlers.watch(
                List.of(Verb.MUTATION_RSP, Verb.COUNTER_MUTATION_RSP, Verb.FAILURE_RSP),
                "The time of a write is not counted",
                (response, to) -> {
                    if (writes.isOn()) {
                        times.end(response.id(), !DelegatedAdmission.isRejection(response));
                    }
                });
        handlers.watch(List.of(Verb.MUTATION_REQ), "The time of a counter update is not counted", (update, to) -> {
            if (counters.isOn()) {
                times.endOfLeader(counters);
            }
        });
    }

    /** The decision that rides on the write of the statement's partition, not on those of views and triggers. */
    private byte[] decision(Message<?> message) {
        ShareDecision decided = StatementScope.current().part(slot);
        if (!decided.isDecided()) {
            return null;
        }
        WrittenPartition written = WrittenPartition.of(updates(message));
        if (written == null || !decided.isAbout(written.id)) {
            return null;
        }
        if (message.verb() == Verb.COUNTER_MUTATION_REQ) {
            StatementScope.current().part(toLeader).sent(message.id());
        }
        return decided.encode();
    }

    /** The value for the coordinator of the write that is answered; null if the partition is not cut. */
    private byte[] wouldRefuse(Message<?> response) {
        WatchedPartition watched = times.cut(writes, response.id());
        return watched == null || !watched.isCut() ? null : ShareRefusals.wouldRefuse(watched);
    }

    private static Collection<PartitionUpdate> updates(Message<?> message) {
        if (message.payload instanceof Mutation) {
            return ((Mutation) message.payload).getPartitionUpdates();
        }
        return message.payload instanceof CounterMutation
                ? ((CounterMutation) message.payload).getPartitionUpdates()
                : List.of();
    }

    private void begin(Message<?> message) {
        ByteBuffer decided = ShareDecision.ofWrite(message, unreadable);
        WrittenPartition written = decided == null ? null : WrittenPartition.of(updates(message));
        // A write without it is none that a coordinator could have refused.
        if (written == null || !FairAdmission.hasShares(written.table)) {
            times.begin(writes, null, 0, message.id());
            return;
        }
        int random = decided.getInt();
        int weight = decided.getInt();
        writes.saw(written.table, written.id, written.key, random);
        if (writes.watched(written.id) != null) {
            writes.admittedElsewhere(written.table, written.token, written.id, weight);
        }
        times.begin(writes, written.table, written.id, message.id());
    }

    private boolean isAdmitted(Message<?> message) {
        ByteBuffer decided = ShareDecision.ofWrite(message, unreadable);
        WrittenPartition written = decided == null ? null : WrittenPartition.of(updates(message));
        if (written == null || !FairAdmission.hasShares(written.table)) {
            times.begin(counters, null, 0, message.id());
            return true;
        }
        int random = decided.getInt();
        int weight = decided.getInt();
        counters.saw(written.table, written.id, written.key, random);
        if (counters.watched(written.id) != null) {
            WatchedPartition refusing = counters.refusing(written.table, written.token, written.id, random, weight);
            if (refusing != null) {
                ShareRefusals.answer(message, refusing);
                return false;
            }
        }
        times.begin(counters, written.table, written.id, message.id());
        return true;
    }
}
