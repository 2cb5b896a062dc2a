// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.runtime.UserFunctions;
import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.function.Consumer;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;

/**
 * Finds the statements that read single partitions, and those partitions.
 *
 * <p>These are SELECTs that name their partitions and use no secondary index, and the read inside a conditional INSERT,
 * UPDATE or DELETE. Cassandra's own tables and virtual tables are excluded.
 */
final class StatementReader implements StatementInterceptor {
    private final CassandraVersion version;
    private final Failures failures;
    private final boolean readsInBetween;
    private final Consumer<TableId> reads;

    /**
     * @param readsInBetween whether Cassandra may read for itself, permissions and roles, while it executes a
     *     statement; if not, the statement's tokens need not be compared with those of its reads
     * @param reads is told of each statement before it is executed: the table of a SELECT of single partitions,
     *     null for any other; and null when the statement has ended
     */
    StatementReader(CassandraVersion version, Failures failures, boolean readsInBetween, Consumer<TableId> reads) {
        this.version = version;
        this.failures = failures;
        this.readsInBetween = readsInBetween;
        this.reads = reads;
    }

    /** Begins the context if the statement reads single partitions, and leaves it empty otherwise. Never throws. */
    @Override
    public void before(StatementScope scope) {
        if (scope.options() == null) {
            reads.accept(null);
            return;
        }
        ReadContext context = ReadContext.of(scope);
        try {
            read(context, scope.statement(), scope.state(), scope.options());
            boolean selects = context.isActive() && scope.statement() instanceof SelectStatement;
            reads.accept(selects ? context.table().id : null);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            context.clear();
            failures.record("A statement is executed without being looked at", e);
        }
    }

    /*
     * The thread goes on to other work. A read of this node that was not executed on the statement's thread, or that
     * was another replica's, has not ended on it; the next one that happens to end there is none of this statement's.
     */
    @Override
    public void succeeded(StatementScope scope) {
        reads.accept(null);
    }

    @Override
    public RuntimeException failed(StatementScope scope, Throwable failure) {
        reads.accept(null);
        return null;
    }

    private void read(ReadContext context, CQLStatement statement, QueryState queryState, QueryOptions options) {
        ClientState state = queryState.getClientState();
        // Cassandra reads permissions before it runs a user's function, and asks for the order of these reads too.
        if (readsInBetween && UserFunctions.areIn(statement)) {
            return;
        }
        if (statement instanceof SelectStatement) {
            SelectStatement select = (SelectStatement) statement;
            if (isBalanced(context, select.table, options.getConsistency())
                    && !select.getRestrictions().isKeyRange()
                    && !select.getRestrictions().usesSecondaryIndexing()) {
                context.begin(
                        select.table,
                        options.getConsistency(),
                        readsInBetween ? () -> version.partitionKeys(select, options, state) : null);
                if (options.getPagingState() != null) {
                    context.goOn();
                }
            }
        } else if (statement instanceof ModificationStatement) {
            ModificationStatement modification = (ModificationStatement) statement;
            if (modification.hasConditions()
                    && isBalanced(context, modification.metadata, options.getSerialConsistency())) {
                context.begin(
                        modification.metadata,
                        options.getSerialConsistency(),
                        readsInBetween ? () -> version.partitionKeys(modification, options, state) : null);
            }
        }
    }

    private static boolean isBalanced(ReadContext context, TableMetadata table, ConsistencyLevel consistencyLevel) {
        // Cassandra itself refuses a statement without a consistency level.
        return consistencyLevel != null && !table.isVirtual() && !context.isSystem(table.keyspace);
    }
}
