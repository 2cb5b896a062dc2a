// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.CustomParams;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.limit.Operation;
import dev.isotherm.share.WatchedPartition;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToLongFunction;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.CassandraException;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Admits or refuses reads of one partition by its fair share. A coordinator that is a replica decides by its own shares
 * before any message is sent, any other by what replicas have told it with their refusals; each other replica
 * decides when the read reaches it, by the same number.
 *
 * <p>A replica's refusal is a failure with a mark, of a read that carries the number or of a coordinator that
 * {@linkplain UnmarkedReads announces itself}: of one that knows the mark.
 */
final class FairAdmission {
    private final FairPool reads;
    private final ReadTimes times;
    private final ReplicaLookup replicas;
    private final ShareRefusals refusals;
    private final CassandraVersion version;
    private final UnreadableValues unreadable;
    private final Failures failures;
    private final UnmarkedReads unmarked;
    private final ToLongFunction<Message<?>> madeAt;
    private final RefusedNumbers refused = new RefusedNumbers();
    private final StatementScope.Slot<ShareDecision> slot = new StatementScope.Slot<>(ShareDecision::new);

    /** @param madeAt when a message was made, as {@link UnmarkedReads} takes it */
    FairAdmission(
            FairPool reads,
            ReadTimes times,
            ReplicaLookup replicas,
            ShareRefusals refusals,
            UnmarkedReads unmarked,
            ToLongFunction<Message<?>> madeAt,
            CassandraVersion version,
            UnreadableValues unreadable,
            Failures failures) {
        this.reads = reads;
        this.times = times;
        this.replicas = replicas;
        this.refusals = refusals;
        this.unmarked = unmarked;
        this.madeAt = madeAt;
        this.version = version;
        this.unreadable = unreadable;
        this.failures = failures;
    }

    /**
     * Decides about the present statement if it reads one partition.
     *
     * @throws FairShareRejection if it is refused
     */
    void admit(StatementScope scope) {
        if (!reads.isOn()) {
            return;
        }
        FairShareRejection rejection;
        try {
            rejection = decide(scope);
        } catch (CassandraException e) {
            // A mistake of the client's: Cassandra finds the same fault and reports it in its own order.
            return;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A read is admitted without regard to its fair share", e);
            return;
        }
        if (rejection != null) {
            throw rejection;
        }
    }

    /** The rejection of the statement; null if it is admitted. */
    private FairShareRejection decide(StatementScope scope) {
        ByteBuffer key = keyOf(scope);
        if (key == null) {
            return null;
        }
        TableMetadata table = ((SelectStatement) scope.statement()).table;
        Token token = table.partitioner.getToken(key);
        long partition = TouchedPartition.idOfReads(table, token);
        int random = ThreadLocalRandom.current().nextInt();
        reads.saw(table, partition, key, random);
        WatchedPartition watched = reads.watched(partition);
        boolean isTold = refusals.isPartlyAdmitted(partition) && reads.mayRefuse(table);
        boolean isHere = (watched != null || isTold) && replicas.isHere(table, token);
        FairShareRejection rejection = isTold && (!isHere || watched == null)
                ? asTold(scope, table, token, partition, random)
                : byOwnShares(scope, table, token, partition, isHere ? watched : null, random);
        if (rejection == null) {
            if ((watched != null || isTold || reads.isLarge(partition)) && reads.mayRefuse(table)) {
                // Its replicas agree the sooner on what they admit the more alike is what they are asked for.
                scope.part(slot).spread(token, watched != null);
            }
            scope.executeWith(times.timed(scope.requestTime(), table, partition, () -> isCut(table, partition)));
        }
        return rejection;
    }

    /** Whether reads of the partition are refused: by this node's shares, or by those that a replica has told of. */
    private boolean isCut(TableMetadata table, long partition) {
        return reads.isCut(table, partition) || refusals.isPartlyAdmitted(partition) && reads.mayRefuse(table);
    }

    private FairShareRejection byOwnShares(
            StatementScope scope,
            TableMetadata table,
            Token token,
            long partition,
            WatchedPartition watched,
            int random) {
        WatchedPartition refusing = scope.part(slot).refusing(scope, reads, table, token, partition, watched, random);
        return refusing == null ? null : rejection(table, refusing.held(), refusing.mayHold());
    }

    /**
     * By what other replicas have told, where this node is none, or is not saturated itself: what they refuse then
     * costs no message, and no read in vain.
     */
    private FairShareRejection asTold(
            StatementScope scope, TableMetadata table, Token token, long partition, int random) {
        ConsistencyLevel level = scope.options().getConsistency();
        List<InetAddressAndPort> asked = replicas.contactable(table, token, level);
        ShareRefusals.Refusal told = refusals.last(partition, asked);
        double part = told == null
                ? 1
                : refusals.admitted(partition, asked, replicas.blockFor(table, level), System.nanoTime());
        if (!scope.part(slot).refusesAsTold(scope, partition, part, random)) {
            return null;
        }
        reads.refusedAsTold();
        return rejection(table, told.held, told.mayHold);
    }

    /** The key of the one partition that the statement reads; null if it is any other statement. */
    private ByteBuffer keyOf(StatementScope scope) {
        if (!(scope.statement() instanceof SelectStatement) || scope.options() == null) {
            return null;
        }
        SelectStatement select = (SelectStatement) scope.statement();
        ConsistencyLevel level = scope.options().getConsistency();
        if (level == null
                || level == ConsistencyLevel.NODE_LOCAL
                || level.isSerialConsistency()
                || !hasShares(select.table)
                || select.getRestrictions().isKeyRange()
                // By key and index it may be a read of a token range, which replicas neither time nor refuse.
                || select.getRestrictions().usesSecondaryIndexing()
                || !Permitted.mayBind(scope)) {
            return null;
        }
        List<ByteBuffer> keys =
                version.partitionKeys(select, scope.options(), scope.state().getClientState());
        return keys.size() == 1 ? keys.get(0) : null;
    }

    /** Whether shares of the table's partitions are kept. */
    static boolean hasShares(TableMetadata table) {
        return !table.isVirtual() && !SchemaConstants.isSystemKeyspace(table.keyspace);
    }

    private static FairShareRejection rejection(TableMetadata table, double held, double mayHold) {
        return new FairShareRejection(table, Operation.READ, held, mayHold);
    }

    /** The reads of partitions that are cut. */
    ReadsOfCutPartitions cutReads() {
        return new ReadsOfCutPartitions(reads, slot, times);
    }

    /** The order in which the present statement contacts replicas of a large partition. */
    SpreadReads spreadReads(IEndpointSnitch snitch) {
        return new SpreadReads(reads::isOn, slot, snitch);
    }

    /** The statement has succeeded. */
    void succeeded() {
        if (reads.isOn()) {
            times.leave();
        }
    }

    /** Notes a failed read. If other replicas alone say that they failed, this node's own thread goes on with it. */
    private void endOfFailed(StatementScope scope, Throwable failure) {
        if (failure instanceof ReadFailureException
                && replicas.areOthers(((ReadFailureException) failure).failureReasonByEndpoint.keySet())) {
            times.leave();
            LateRetryTime.failsElsewhere(scope.requestTime());
        } else {
            times.statementFails(scope.requestTime());
        }
    }

    /** The exception for the client if replicas have refused the present statement; null otherwise. */
    FairShareRejection failed(StatementScope scope, Throwable failure) {
        if (reads.isOn()) {
            endOfFailed(scope, failure);
        }
        // Switched off or not: a replica may have refused what was sent before.
        if (!(failure instanceof ReadFailureException) || refusals.isEmpty()) {
            return null;
        }
        try {
            ByteBuffer key = keyOf(scope);
            if (key == null) {
                return null;
            }
            TableMetadata table = ((SelectStatement) scope.statement()).table;
            ShareRefusals.Refusal refusal = refusals.reasonOf(
                    (ReadFailureException) failure,
                    TouchedPartition.idOfReads(table, table.partitioner.getToken(key)),
                    scope.requestTime().startedAtNanos());
            return refusal == null ? null : rejection(table, refusal.held, refusal.mayHold);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A refused read fails without its reason", e);
            return null;
        }
    }

    /** Decides about other coordinators' reads, and times them. */
    void install(WireHandlers handlers) {
        handlers.ride(
                List.of(Verb.READ_REQ),
                ShareDecision.PARAM,
                "A replica does not know how a read was decided about",
                (read, to) -> reads.isOn() ? marked(read, to) : unmarked.isUnannounced() ? null : exempt(read, to));
        handlers.receiveAll(
                Verb.READ_REQ,
                "A read is served without regard to its fair share",
                (read, none) -> !reads.isOn() || isAdmitted(read));
        handlers.watch(
                List.of(Verb.READ_RSP, Verb.FAILURE_RSP), "The time of a read is not counted", (response, to) -> {
                    if (reads.isOn()) {
                        times.end(!DelegatedAdmission.isRejection(response));
                    }
                });
        times.install(handlers);
    }

    /** What a read to another node says of how it was decided about; null for nothing. */
    private byte[] marked(Message<?> message, InetAddressAndPort to) {
        if (!isCounted(message)) {
            return null;
        }
        try {
            ShareDecision decided = StatementScope.current().part(slot);
            // Statements read other partitions too, such as those of permissions and of views.
            if (!decided.isDecided() || !decided.isAbout(idOf((SinglePartitionReadCommand) message.payload))) {
                return unmarked.mayNotBeRefused(to, madeAt.applyAsLong(message));
            }
            byte[] decision = decided.encode(to);
            return decision == null ? unmarked.mayBeRefused(to, madeAt.applyAsLong(message)) : decision;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A read is exempt from its fair share", e);
            return UnmarkedReads.exemption();
        }
    }

    /** Switched off: what replicas that do not know it yet may not refuse. */
    private byte[] exempt(Message<?> message, InetAddressAndPort to) {
        return isCounted(message) ? unmarked.mayNotBeRefused(to, madeAt.applyAsLong(message)) : null;
    }

    private static boolean isCounted(Message<?> message) {
        return message.payload instanceof SinglePartitionReadCommand
                && hasShares(((SinglePartitionReadCommand) message.payload).metadata());
    }

    private static long idOf(SinglePartitionReadCommand read) {
        return TouchedPartition.idOfReads(read.metadata(), read.partitionKey().getToken());
    }

    private boolean isAdmitted(Message<?> message) {
        // What the thread began before has ended, perhaps without an answer.
        times.leave();
        if (!isCounted(message)) {
            return true;
        }
        byte[] value = CustomParams.of(message, ShareDecision.PARAM);
        ByteBuffer decision = ShareDecision.ofRead(message.from(), value, unreadable);
        // Any other read is none of a SELECT of one partition, or of a coordinator that keeps no shares.
        if (decision == null && !unmarked.isRefusable(message.from(), value, madeAt.applyAsLong(message))) {
            return true;
        }
        SinglePartitionReadCommand read = (SinglePartitionReadCommand) message.payload;
        long partition = idOf(read);
        WatchedPartition refusing =
                decision == null ? refusing(read, partition) : refusing(read, partition, decision, message.from());
        if (refusing != null) {
            ShareRefusals.answer(message, refusing);
            return false;
        }
        times.begin(read.metadata(), partition, message.expiresAtNanos());
        return true;
    }

    /** What refuses a read about which its coordinator has not decided; null if it is admitted. */
    private WatchedPartition refusing(SinglePartitionReadCommand read, long partition) {
        reads.saw(
                read.metadata(),
                partition,
                read.partitionKey().getKey(),
                ThreadLocalRandom.current().nextInt());
        WatchedPartition watched = reads.watched(partition);
        return watched == null
                ? null
                : reads.refusing(read.metadata(), read.partitionKey().getToken(), partition, watched.nextNumber(), 1);
    }

    /** What refuses a read about which its coordinator has decided so; null if it is admitted. */
    private WatchedPartition refusing(
            SinglePartitionReadCommand read, long partition, ByteBuffer decision, InetAddressAndPort coordinator) {
        int random = decision.getInt();
        int weight = decision.getInt();
        WatchedPartition watched = reads.watched(partition);
        long statement = RefusedNumbers.statement(partition, coordinator, random);
        if (weight == ShareDecision.DECIDED_BEFORE) {
            return refused.has(statement) && reads.mayRefuse(read.metadata()) ? watched : null;
        }
        reads.saw(read.metadata(), partition, read.partitionKey().getKey(), random);
        WatchedPartition refusing = watched == null
                ? null
                : reads.refusing(read.metadata(), read.partitionKey().getToken(), partition, random, weight);
        refused.decided(statement, refusing != null);
        return refusing;
    }
}
