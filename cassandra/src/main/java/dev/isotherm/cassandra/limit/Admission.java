// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.limit.HotPartitions;
import dev.isotherm.limit.Operation;
import dev.isotherm.limit.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.CassandraException;
import org.apache.cassandra.exceptions.RequestFailureException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.Dispatcher;

/**
 * Admits or rejects each statement by the limits of its partitions.
 *
 * <p>For partitions of which this node is a replica, this node decides before any message is sent. For other
 * partitions, every replica decides when the request reaches it; if a write could be applied although its replicas
 * reject it, or a read may reach them as that of a token range, one replica is asked first.
 */
final class Admission {
    private final RuntimeSwitch enabled;
    private final LimitsInForce limits;
    private final StatementPartitions partitions;
    private final LocalDecisions decisions;
    private final ReplicaLookup replicas;
    private final AdmissionQuestions questions;
    private final DelegatedAdmission delegated;
    private final HotPartitions<LimitedTable, NamedPartition> hottest;
    private final Failures failures;

    Admission(
            RuntimeSwitch enabled,
            LimitsInForce limits,
            StatementPartitions partitions,
            LocalDecisions decisions,
            ReplicaLookup replicas,
            AdmissionQuestions questions,
            DelegatedAdmission delegated,
            HotPartitions<LimitedTable, NamedPartition> hottest,
            Failures failures) {
        this.enabled = enabled;
        this.limits = limits;
        this.partitions = partitions;
        this.decisions = decisions;
        this.replicas = replicas;
        this.questions = questions;
        this.delegated = delegated;
        this.hottest = hottest;
        this.failures = failures;
    }

    /**
     * Decides about the present statement.
     *
     * @return the request to end with {@link #succeeded} or {@link #failed}, if its replicas decide; null if the
     *     statement is admitted
     * @throws RateLimitRejection if the statement is rejected
     * @throws CassandraException Cassandra's own refusal of the statement
     */
    DelegatedRequest admit(StatementScope scope) {
        if (limits.isEmpty() || !enabled.isOn()) {
            return null;
        }
        CQLStatement statement = scope.statement();
        ClientState state = scope.state().getClientState();
        if (statement instanceof BatchStatement) {
            BatchQueryOptions options = scope.batchOptions() != null
                    ? scope.batchOptions()
                    : BatchQueryOptions.withoutPerStatementVariables(scope.options());
            return admit(scope, (BatchStatement) statement, options, state);
        }
        QueryOptions options = scope.options();
        List<TouchedPartition> touched = touched(scope, () -> partitions.of(statement, options, state));
        return touched.isEmpty()
                ? null
                : admit(
                        scope,
                        touched,
                        options.getConsistency(),
                        asksFirst(statement),
                        () -> partitions.areSeveral((ModificationStatement) statement, options, state));
    }

    private DelegatedRequest admit(
            StatementScope scope, BatchStatement batch, BatchQueryOptions options, ClientState state) {
        List<TouchedPartition> touched = touched(scope, () -> partitions.of(batch, options, state));
        return touched.isEmpty()
                ? null
                : admit(
                        scope,
                        touched,
                        options.getConsistency(),
                        asksFirst(batch),
                        () -> partitions.areSeveral(batch, options, state));
    }

    /** The limited partitions of a statement; empty if they cannot be determined. */
    private List<TouchedPartition> touched(StatementScope scope, Supplier<List<TouchedPartition>> partitionsOf) {
        try {
            return Permitted.mayBind(scope) ? partitionsOf.get() : List.of();
        } catch (CassandraException e) {
            // A mistake of the client's: Cassandra finds the same fault and reports it in its own order.
            return List.of();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A statement is admitted without being looked at", e);
            return List.of();
        }
    }

    /**
     * A conditional update is proposed before its replicas see it. A read by key and index may be one of a token range,
     * about which they do not decide, and with ANN at another level than its client's.
     */
    private static boolean asksFirst(CQLStatement statement) {
        return statement instanceof ModificationStatement
                ? ((ModificationStatement) statement).hasConditions()
                : statement instanceof SelectStatement
                        && ((SelectStatement) statement).getRestrictions().usesSecondaryIndexing();
    }

    /** A logged batch is in the batch log before its replicas see it; a conditional batch is proposed before. */
    private static boolean asksFirst(BatchStatement batch) {
        return batch.hasConditions()
                || batch.type == BatchStatement.Type.LOGGED
                        && batch.getStatements().size() > 1;
    }

    private DelegatedRequest admit(
            StatementScope scope,
            List<TouchedPartition> touched,
            ConsistencyLevel level,
            boolean asksFirst,
            BooleanSupplier writesSeveral) {
        // A client without permission on the table must neither learn of its limit nor use it up.
        if (!Permitted.isPermitted(scope)) {
            return null;
        }
        try {
            return decide(touched, level, asksFirst, writesSeveral, scope.requestTime());
        } catch (RateLimitRejection rejection) {
            throw rejection;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A statement is admitted without a decision", e);
            return null;
        }
    }

    private DelegatedRequest decide(
            List<TouchedPartition> touched,
            ConsistencyLevel level,
            boolean asksFirst,
            BooleanSupplier writesSeveral,
            Dispatcher.RequestTime time) {
        if (level == null || level == ConsistencyLevel.NODE_LOCAL) {
            return null;
        }
        int random = ThreadLocalRandom.current().nextInt();
        List<TouchedPartition> here = touched;
        List<TouchedPartition> elsewhere = List.of();
        if (touched.size() > 1 || !replicas.isHere(touched.get(0))) {
            here = new ArrayList<>();
            elsewhere = new ArrayList<>();
            for (TouchedPartition partition : touched) {
                (replicas.isHere(partition) ? here : elsewhere).add(partition);
            }
        }
        Decided decidedHere = decisions.decide(here, random);
        refuse(decidedHere.refused, random);
        if (elsewhere.isEmpty()) {
            decisions.tell(decidedHere);
            admitted(touched, random);
            return null;
        }
        boolean reads = elsewhere.get(0).operation == Operation.READ;
        if (asksFirst
                || level.isSerialConsistency()
                || !reads && couldBeHalfRejected(touched, writesSeveral, elsewhere, level)) {
            TouchedPartition refused = questions.refused(elsewhere, random);
            if (refused != null) {
                decisions.takeBack(decidedHere);
            }
            refuse(refused, random);
            decisions.tell(decidedHere);
            admitted(touched, random);
            return null;
        }
        double operations = reads ? replicas.partOfRead(elsewhere.get(0), level) : 1;
        return delegated.begin(touched, elsewhere, decidedHere, random, operations, time);
    }

    /**
     * Whether a write could be applied although its replicas reject it: a write of several partitions, of which one
     * alone may have a limit, a write through the batch log, a write with a hint for a replica that is down or in
     * another datacenter, where another node forwards the write, one to ranges that move, one for which no hints are
     * kept, or a write at ANY, which a hint alone satisfies.
     */
    private boolean couldBeHalfRejected(
            List<TouchedPartition> touched,
            BooleanSupplier writesSeveral,
            List<TouchedPartition> elsewhere,
            ConsistencyLevel level) {
        return touched.size() > 1
                || level == ConsistencyLevel.ANY
                || replicas.goesThroughBatchLog(elsewhere.get(0))
                || !replicas.allHearDirectly(elsewhere.get(0))
                || areSeveral(writesSeveral);
    }

    private static boolean areSeveral(BooleanSupplier written) {
        try {
            return written.getAsBoolean();
        } catch (CassandraException e) {
            // Cassandra finds the same fault in a statement without a limit, before it writes any.
            return false;
        }
    }

    /** Ends a request that succeeded, and stores the hints for the replicas that rejected it. */
    void succeeded(DelegatedRequest request) {
        try {
            hint(delegated.end(request, Outcome.NOT_REJECTED));
            decisions.tell(request.decidedHere);
            admitted(request.touched, request.random);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A replica that rejected a successful write may lack it until the next repair", e);
        }
    }

    private void hint(List<ReplicaRejection> owed) {
        owed.forEach(replicas::hint);
    }

    /**
     * Ends a request that failed.
     *
     * @param failure the exception of Cassandra
     * @return the exception for the client instead; null if the failure is not a rejection by replicas
     */
    RateLimitRejection failed(DelegatedRequest request, Throwable failure) {
        TouchedPartition refused = request.refused();
        boolean rejected = refused != null
                && failure instanceof RequestFailureException
                && failedByRejection(request, (RequestFailureException) failure)
                && (refused.operation == Operation.READ || request.endWithoutHints());
        if (rejected && refused.operation == Operation.WRITE && ((RequestFailureException) failure).received > 0) {
            request.answers().applied();
        }
        List<ReplicaRejection> owed = delegated.end(request, rejected ? Outcome.REJECTED : Outcome.NOT_REJECTED);
        if (!rejected) {
            // A write whose outcome is open: plain Cassandra has hints for all replicas that failed.
            hint(owed);
            decisions.tell(request.decidedHere);
            if (refused == null) {
                // It failed for another reason, as where this node decides, which counts before it is executed.
                admitted(request.touched, request.random);
            }
            return null;
        }
        decisions.takeBack(request.decidedHere);
        return rejection(refused, request.random);
    }

    /**
     * Whether every failed replica rejected the request, and none has another reason to tell, such as too many
     * tombstones: the client is to learn of that. After any other failure of a write Cassandra may have stored a hint,
     * so that it may still be applied: the client is not told of a rejection then.
     */
    static boolean failedByRejection(DelegatedRequest request, RequestFailureException failure) {
        return !CassandrasReasons.areToldBy(failure)
                && request.answers().areRejectionsOf(failure.failureReasonByEndpoint.keySet());
    }

    private void admitted(List<TouchedPartition> touched, int random) {
        for (TouchedPartition partition : touched) {
            partition.table.counts.admitted(partition.operation);
            seen(partition, Verdict.ADMITTED, random);
        }
    }

    private void refuse(TouchedPartition refused, int random) {
        if (refused != null) {
            throw rejection(refused, random);
        }
    }

    private RateLimitRejection rejection(TouchedPartition refused, int random) {
        refused.table.counts.rejected(refused.operation);
        if (refused.isByKey()) {
            refused.table.counts.rejectedByKey.increment();
        }
        seen(refused, refused.isByKey() ? Verdict.OVER_KEY_LIMIT : Verdict.OVER_TABLE_LIMIT, random);
        return refused.rejection();
    }

    private void seen(TouchedPartition partition, Verdict verdict, int random) {
        if (hottest.isSampled(random)) {
            hottest.seen(
                    partition.idOfBoth(),
                    partition.operation,
                    verdict,
                    random,
                    partition.table,
                    new NamedPartition(partition.table.metadata, partition.token, partition.key));
        }
    }
}
