// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.CustomParams;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.limit.Operation;
import dev.isotherm.share.WatchedPartition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ReadAbortException;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Admits or refuses reads of one partition by its fair share. A coordinator that is a replica decides by its own shares
 * before any message is sent; each other replica decides when the read reaches it, by the same random number.
 *
 * <p>A replica's refusal is a failure with a mark, of a read that carries the number: of a coordinator that knows it.
 */
final class FairAdmission {
    /** On a read: the random number of the coordinator's decision, and for how many it stands; four bytes each. */
    private static final String DECIDED = "isotherm.share";

    private static final int DECIDED_BYTES = 2 * Integer.BYTES;
    private static final String REFUSED = "isotherm.share_refused";

    private final FairReads reads;
    private final ReadTimes times;
    private final ReplicaLookup replicas;
    private final CassandraVersion version;
    private final MalformedAdmissions malformed;
    private final Failures failures;
    private final ShareRefusals refusals = new ShareRefusals();
    private final StatementScope.Slot<Decided> slot = new StatementScope.Slot<>(Decided::new);

    /** What the coordinator has decided about the present statement. */
    private static final class Decided implements StatementScope.Part {
        boolean decided;
        int random;
        int weight;

        @Override
        public void clear() {
            decided = false;
        }
    }

    FairAdmission(
            FairReads reads,
            ReadTimes times,
            ReplicaLookup replicas,
            CassandraVersion version,
            MalformedAdmissions malformed,
            Failures failures) {
        this.reads = reads;
        this.times = times;
        this.replicas = replicas;
        this.version = version;
        this.malformed = malformed;
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
        WatchedPartition refusing;
        try {
            refusing = refusing(scope);
        } catch (RequestValidationException e) {
            // Cassandra finds the same fault and reports it in its own order.
            return;
        } catch (RuntimeException | LinkageError e) {
            failures.record("A read is admitted without regard to its fair share", e);
            return;
        }
        if (refusing != null) {
            throw rejection(((SelectStatement) scope.statement()).table, refusing.held(), refusing.mayHold());
        }
    }

    private WatchedPartition refusing(StatementScope scope) {
        ByteBuffer key = keyOf(scope);
        if (key == null) {
            return null;
        }
        TableMetadata table = ((SelectStatement) scope.statement()).table;
        Token token = table.partitioner.getToken(key);
        long partition = TouchedPartition.idOfReads(table, token);
        Decided decided = scope.part(slot);
        decided.decided = true;
        decided.random = ThreadLocalRandom.current().nextInt();
        decided.weight = 1;
        reads.saw(table, partition, key, decided.random);
        WatchedPartition watched = reads.watched(partition);
        if (watched != null && replicas.isHere(table, token)) {
            // A client without permission on the table must not learn of its load, nor ask for a part of it.
            scope.statement().authorize(scope.state().getClientState());
            scope.statement().validate(scope.state().getClientState());
            decided.weight = reads.isEnforced() ? watched.weight() : 1;
            WatchedPartition refusing = reads.refusing(table, token, partition, decided.random, 1);
            if (refusing != null) {
                return refusing;
            }
        }
        scope.executeWith(times.timed(scope.requestTime(), table, partition));
        return null;
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
                || select.getRestrictions().isKeyRange()) {
            return null;
        }
        List<ByteBuffer> keys =
                version.partitionKeys(select, scope.options(), scope.state().getClientState());
        return keys.size() == 1 ? keys.get(0) : null;
    }

    private static boolean counts(TableMetadata table) {
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
            ShareRefusals.Refusal refusal = refusals.of(
                    TouchedPartition.idOfReads(table, table.partitioner.getToken(key)),
                    unexplained((ReadFailureException) failure),
                    System.nanoTime());
            return refusal == null ? null : rejection(table, refusal.held, refusal.mayHold);
        } catch (RuntimeException | LinkageError e) {
            failures.record("A refused read fails without its reason", e);
            return null;
        }
    }

    /** The replicas whose failure has no reason of Cassandra's. */
    private static Iterable<InetAddressAndPort> unexplained(ReadFailureException failure) {
        List<InetAddressAndPort> replicas = new ArrayList<>();
        failure.failureReasonByEndpoint.forEach((replica, reason) -> {
            if (reason == RequestFailureReason.UNKNOWN) {
                replicas.add(replica);
            }
        });
        return replicas;
    }

    /** Decides about other coordinators' reads, times them, and receives other replicas' refusals. */
    void install(WireHandlers handlers) {
        handlers.ride(List.of(Verb.READ_REQ), DECIDED, "Two nodes decide about a read each by itself", (read, to) -> {
            if (!reads.isOn()) {
                return null;
            }
            Decided decided = StatementScope.current().part(slot);
            return decided.decided
                    ? ByteBuffer.allocate(DECIDED_BYTES)
                            .putInt(decided.random)
                            .putInt(decided.weight)
                            .array()
                    : null;
        });
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
        handlers.receive(
                List.of(Verb.FAILURE_RSP), REFUSED, "A refused read fails without its reason", (response, value) -> {
                    try {
                        refusals.received(response.from(), value, System.nanoTime());
                    } catch (IllegalArgumentException e) {
                        malformed.ignore("What a replica told of its refusal was malformed and is ignored", e);
                    }
                    return true;
                });
        times.start();
    }

    private boolean isAdmitted(Message<?> message) {
        // What the thread began before has ended, perhaps without an answer.
        times.leave();
        byte[] decided = CustomParams.of(message, DECIDED);
        // A read without it is none of a SELECT of one partition, or of a coordinator that keeps no shares.
        if (decided == null
                || decided.length != DECIDED_BYTES
                || !(message.payload instanceof SinglePartitionReadCommand)) {
            return true;
        }
        SinglePartitionReadCommand read = (SinglePartitionReadCommand) message.payload;
        if (!counts(read.metadata())) {
            return true;
        }
        Token token = read.partitionKey().getToken();
        long partition = TouchedPartition.idOfReads(read.metadata(), token);
        ByteBuffer in = ByteBuffer.wrap(decided);
        int random = in.getInt();
        reads.saw(read.metadata(), partition, read.partitionKey().getKey(), random);
        if (reads.watched(partition) != null) {
            WatchedPartition refusing = reads.refusing(read.metadata(), token, partition, random, in.getInt());
            if (refusing != null) {
                byte[] refused = ShareRefusals.encode(partition, refusing.held(), refusing.mayHold());
                Message<?> response = message.failureResponse(RequestFailureReason.UNKNOWN);
                MessagingService.instance().send(CustomParams.with(response, REFUSED, refused), message.respondTo());
                return false;
            }
        }
        times.begin(read.metadata(), partition);
        return true;
    }

    /** Forgets what is old; call it regularly. */
    void sweep() {
        refusals.sweep(System.nanoTime());
    }
}
