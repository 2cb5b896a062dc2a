// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.limit.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.transport.Dispatcher;

/**
 * A request about which its replicas decide, because its coordinator is not a replica.
 *
 * <p>The request's thread sends its messages; the first message to each replica carries the random number by which all
 * replicas decide. Other threads receive the replicas' rejections.
 */
final class DelegatedRequest {
    private static final StatementScope.Slot<OnThread> SLOT = new StatementScope.Slot<>(OnThread::new);
    /** The rejection that the present thread is delivering. */
    private static final ThreadLocal<ReplicaRejection> DELIVERING = new ThreadLocal<>();

    /** A fraction of an operation that is nothing to a replica, and that it reads as one. */
    static final double UNCOUNTED = 1e-6;

    final long id;
    final int random;
    /** All limited partitions of the statement. */
    final List<TouchedPartition> touched;
    /** The partitions about which replicas decide. */
    final List<TouchedPartition> partitions;
    /** What this node has decided about the others before the request was sent. */
    final Decided decidedHere;

    /** The first of them of each id. */
    private final Map<Long, TouchedPartition> byId = new HashMap<>();

    private final double operations;
    /** The replicas that account a read of a partition. */
    private final long mostCounting;

    private final Dispatcher.RequestTime requestTime;
    private final WriteAnswers answers = new WriteAnswers();
    private final Contacts contacts = new Contacts();

    // Guarded by this: shared between the request's thread and the threads that receive responses.
    private Outcome outcome = Outcome.UNDECIDED;
    private TouchedPartition refused;
    private boolean hinted;
    private final Map<Long, Mutation> mutations = new HashMap<>();
    private final List<ReplicaRejection> owedHints = new ArrayList<>();

    /** @param operations the fraction of an operation that the request counts as at each replica that is asked */
    DelegatedRequest(
            long id,
            int random,
            List<TouchedPartition> touched,
            List<TouchedPartition> partitions,
            Decided decidedHere,
            double operations,
            Dispatcher.RequestTime time) {
        this.id = id;
        this.random = random;
        this.touched = touched;
        this.partitions = partitions;
        this.decidedHere = decidedHere;
        partitions.forEach(partition -> byId.putIfAbsent(partition.id, partition));
        this.operations = operations;
        this.mostCounting = operations < 1 ? Math.round(1 / operations) : Long.MAX_VALUE;
        this.requestTime = new HintHoldingTime(time);
    }

    /** The request that the present thread is sending; null if there is none. */
    static DelegatedRequest current() {
        return of(StatementScope.current());
    }

    /** The request that the scope's thread is sending; null if there is none. */
    static DelegatedRequest of(StatementScope scope) {
        return scope.part(SLOT).request;
    }

    /** Binds the request to the present thread. */
    void begin() {
        StatementScope.current().part(SLOT).request = this;
    }

    /** Removes the request, if any, from the present thread. */
    static void leave() {
        StatementScope.current().part(SLOT).clear();
    }

    /** The time to execute the request with; it also decides whether hints may be stored for the request. */
    Dispatcher.RequestTime requestTime() {
        return requestTime;
    }

    /** What its replicas answer. */
    WriteAnswers answers() {
        return answers;
    }

    long id() {
        return id;
    }

    int random() {
        return random;
    }

    /**
     * The fraction of an operation that a replica accounts which gets its first message: hardly any of a speculative
     * retry, as the replicas that were contacted before account the whole read.
     *
     * @param asked what the message asks it to decide about, one partition or more
     */
    double operations(List<TouchedPartition> asked) {
        for (TouchedPartition partition : asked) {
            if (contacts.about(partition.id) <= mostCounting) {
                return operations;
            }
        }
        return UNCOUNTED;
    }

    /**
     * On the first message to a replica: the message's partitions about which the replica decides. Empty for later
     * messages, or if there are no such partitions.
     */
    List<TouchedPartition> firstContact(
            Token token, Iterable<TableId> tables, Operation operation, InetAddressAndPort to) {
        List<TouchedPartition> found = List.of();
        for (TableId table : tables) {
            TouchedPartition partition = byId.get(TouchedPartition.idOf(table, operation, token));
            if (partition != null && contacts.add(partition.id, to)) {
                if (found.isEmpty()) {
                    found = new ArrayList<>(1);
                }
                found.add(partition);
            }
        }
        return found;
    }

    /** Remembers a write that is sent, so that a hint can be made of it. */
    synchronized void sent(long messageId, Mutation mutation) {
        mutations.put(messageId, mutation);
    }

    /**
     * Delivers a replica's rejection.
     *
     * @param partition the id of the partition that is over its limit there
     * @param delivery delivers the response to Cassandra's handler
     */
    void rejected(long partition, InetAddressAndPort replica, long messageId, Runnable delivery) {
        ReplicaRejection rejection;
        synchronized (this) {
            refused = withId(partition);
            answers.rejected(replica);
            rejection = new ReplicaRejection(this, mutations.get(messageId), replica);
        }
        DELIVERING.set(rejection);
        try {
            delivery.run();
        } finally {
            DELIVERING.remove();
        }
    }

    private TouchedPartition withId(long partition) {
        return byId.getOrDefault(partition, partitions.get(0));
    }

    /** The partition that a replica rejected, the last one of several; null if none was rejected. */
    synchronized TouchedPartition refused() {
        return refused;
    }

    /**
     * Ends a write that its replicas have rejected, for its hints: none is stored from now on.
     *
     * @return false if one has been stored already, as for a replica that died after the decision: the write may still
     *     be applied, and its client is not told of a rejection
     */
    synchronized boolean endWithoutHints() {
        if (!hinted) {
            outcome = Outcome.REJECTED;
        }
        return !hinted;
    }

    /** Ends the request and returns the hints owed if its client is told of a success. */
    synchronized List<ReplicaRejection> end(Outcome outcome) {
        this.outcome = outcome;
        answers.end(outcome, contacts.all(), refused == null ? null : refused.table.counts);
        return outcome == Outcome.NOT_REJECTED ? List.copyOf(owedHints) : List.of();
    }

    private synchronized boolean mayHint(boolean wanted) {
        ReplicaRejection rejection = DELIVERING.get();
        if (outcome != Outcome.UNDECIDED || rejection == null || rejection.request != this) {
            boolean hints = wanted && outcome != Outcome.REJECTED;
            hinted |= hints;
            return hints;
        }
        // Cassandra is about to store this replica's hint; the end of the request decides whether the hint is owed.
        if (wanted) {
            owedHints.add(rejection);
        }
        return false;
    }

    /** The request of a thread's statement. */
    private static final class OnThread implements StatementScope.Part {
        DelegatedRequest request;

        @Override
        public void clear() {
            request = null;
        }
    }

    /** Holds back the hint of a rejection until it is known whether the request succeeded without that replica. */
    private final class HintHoldingTime extends Dispatcher.RequestTime {
        HintHoldingTime(Dispatcher.RequestTime time) {
            super(time.enqueuedAtNanos(), time.startedAtNanos());
        }

        @Override
        public boolean shouldSendHints() {
            return mayHint(super.shouldSendHints());
        }
    }
}
