// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.limit.Operation;
import dev.isotherm.share.WatchedPartition;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ReadAbortException;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Admits or refuses reads of one partition by its fair share. A coordinator that is a replica decides by its own shares
 * before any message is sent, one that is none by what replicas have told it with their refusals; each other replica
 * decides when the read reaches it, by the same number.
 *
 * <p>A replica's refusal is a failure with a mark, of a read that carries the number: of a coordinator that knows it.
 */
final class FairAdmission {
    private final FairPool reads;
    private final ReadTimes times;
    private final ReplicaLookup replicas;
    private final ShareRefusals refusals;
    private final CassandraVersion version;
    private final Failures failures;
    private final RefusedNumbers refused = new RefusedNumbers();
    private final StatementScope.Slot<ShareDecision> slot = new StatementScope.Slot<>(ShareDecision::new);

    FairAdmission(
            FairPool reads,
            ReadTimes times,
            ReplicaLookup replicas,
            ShareRefusals refusals,
            CassandraVersion version,
            Failures failures) {
        this.reads = reads;
        this.times = times;
        this.replicas = replicas;
        this.refusals = refusals;
        this.version = version;
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
        } catch (RequestValidationException e) {
            // Cassandra finds the same fault and reports it in its own order.
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
        FairShareRejection rejection = isTold && !isHere
                ? asTold(scope, table, token, partition, random)
                : byOwnShares(scope, table, token, partition, isHere ? watched : null, random);
        if (rejection == null) {
            scope.executeWith(times.timed(scope.requestTime(), table, partition));
        }
        return rejection;
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

    /** By what the replicas have told, where this node is none: what they refuse then costs no message. */
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
                || !counts(select.table)
                || select.getRestrictions().isKeyRange()
                || !Permitted.mayBind(select, scope.state().getClientState())) {
            return null;
        }
        List<ByteBuffer> keys =
                version.partitionKeys(select, scope.options(), scope.state().getClientState());
        return keys.size() == 1 ? keys.get(0) : null;
    }

    /** Whether shares of the table's partitions are kept. */
    static boolean counts(TableMetadata table) {
        return !table.isVirtual() && !SchemaConstants.isSystemKeyspace(table.keyspace);
    }

    private static FairShareRejection rejection(TableMetadata table, double held, double mayHold) {
        return new FairShareRejection(table, Operation.READ, held, mayHold);
    }

    /** The statement has succeeded. */
    void succeeded() {
        if (reads.isOn()) {
            times.leave();
        }
    }

    /** The exception for the client if replicas have refused the present statement; null otherwise. */
    FairShareRejection failed(StatementScope scope, Throwable failure) {
        if (reads.isOn()) {
            times.leave();
        }
        if (!(failure instanceof ReadFailureException) || failure instanceof ReadAbortException || refusals.isEmpty()) {
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
                "Two nodes decide about a read each by itself",
                (read, to) -> reads.isOn() ? decision(read, to) : null);
        handlers.receiveAll(
                Verb.READ_REQ,
                "A read is served without regard to its fair share",
                (read, none) -> !reads.isOn() || isAdmitted(read));
        handlers.watch(
                List.of(Verb.READ_RSP, Verb.FAILURE_RSP), "The time of a read is not counted", (response, to) -> {
                    if (reads.isOn()) {
                        times.end();
                    }
                });
        times.install(handlers);
    }

    /** On the reads of the statement's partition, not on those of permissions and roles. */
    private byte[] decision(Message<?> message, InetAddressAndPort to) {
        ShareDecision decided = StatementScope.current().part(slot);
        if (!decided.isDecided() || !(message.payload instanceof SinglePartitionReadCommand)) {
            return null;
        }
        SinglePartitionReadCommand read = (SinglePartitionReadCommand) message.payload;
        long partition =
                TouchedPartition.idOfReads(read.metadata(), read.partitionKey().getToken());
        return decided.isAbout(partition) ? decided.encode(to) : null;
    }

    private boolean isAdmitted(Message<?> message) {
        // What the thread began before has ended, perhaps without an answer.
        times.leave();
        ByteBuffer decided = ShareDecision.of(message);
        // A read without it is none of a SELECT of one partition, or of a coordinator that keeps no shares.
        if (decided == null || !(message.payload instanceof SinglePartitionReadCommand)) {
            return true;
        }
        SinglePartitionReadCommand read = (SinglePartitionReadCommand) message.payload;
        if (!counts(read.metadata())) {
            return true;
        }
        Token token = read.partitionKey().getToken();
        long partition = TouchedPartition.idOfReads(read.metadata(), token);
        int random = decided.getInt();
        int weight = decided.getInt();
        WatchedPartition watched = reads.watched(partition);
        long statement = RefusedNumbers.statement(partition, message.from(), random);
        WatchedPartition refusing;
        if (weight == ShareDecision.DECIDED_BEFORE) {
            refusing = refused.has(statement) && reads.mayRefuse(read.metadata()) ? watched : null;
        } else {
            reads.saw(read.metadata(), partition, read.partitionKey().getKey(), random);
            refusing = watched == null ? null : reads.refusing(read.metadata(), token, partition, random, weight);
            refused.decided(statement, refusing != null);
        }
        if (refusing != null) {
            ShareRefusals.answer(message, refusing);
            return false;
        }
        times.begin(read.metadata(), partition, message.expiresAtNanos());
        return true;
    }
}
