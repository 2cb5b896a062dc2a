// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.ClientState;

/**
 * Finds the limited partitions that a statement reads or writes, each once.
 *
 * <p>A SELECT that names no partition (a range of tokens, a whole table, an index alone) counts as a read of none.
 */
final class StatementPartitions {
    private final CassandraVersion version;
    private final LimitsInForce limits;

    StatementPartitions(CassandraVersion version, LimitsInForce limits) {
        this.version = version;
        this.limits = limits;
    }

    /** The limited partitions of a statement other than a batch; empty if there are none. */
    List<TouchedPartition> of(CQLStatement statement, QueryOptions options, ClientState state) {
        if (statement instanceof SelectStatement) {
            return of((SelectStatement) statement, options, state);
        }
        if (statement instanceof ModificationStatement) {
            ModificationStatement modification = (ModificationStatement) statement;
            LimitedTable table = limitedWrites(modification);
            return table == null
                    ? List.of()
                    : touched(table, Operation.WRITE, version.partitionKeys(modification, options, state));
        }
        return List.of();
    }

    /** The limited partitions of a batch, in which each partition of a table counts once. */
    List<TouchedPartition> of(BatchStatement batch, BatchQueryOptions options, ClientState state) {
        DistinctPartitions touched = new DistinctPartitions();
        List<ModificationStatement> statements = batch.getStatements();
        for (int i = 0; i < statements.size(); i++) {
            ModificationStatement statement = statements.get(i);
            LimitedTable table = limitedWrites(statement);
            if (table != null) {
                touched.add(table, Operation.WRITE, version.partitionKeys(statement, options.forStatement(i), state));
            }
        }
        return touched.list();
    }

    /** Whether a write is one of several partitions, limited or not. */
    boolean areSeveral(ModificationStatement statement, QueryOptions options, ClientState state) {
        return version.partitionKeys(statement, options, state).size() > 1;
    }

    /** Whether a batch writes several partitions, limited or not; those of two tables are two. */
    boolean areSeveral(BatchStatement batch, BatchQueryOptions options, ClientState state) {
        List<ModificationStatement> statements = batch.getStatements();
        TableId table = statements.get(0).metadata.id;
        ByteBuffer first = null;
        for (int i = 0; i < statements.size(); i++) {
            ModificationStatement statement = statements.get(i);
            for (ByteBuffer key : version.partitionKeys(statement, options.forStatement(i), state)) {
                first = first == null ? key : first;
                if (!first.equals(key) || !table.equals(statement.metadata.id)) {
                    return true;
                }
            }
        }
        return false;
    }

    private List<TouchedPartition> of(SelectStatement select, QueryOptions options, ClientState state) {
        LimitedTable table = limits.get(select.table.id);
        if (table == null
                || !table.limits(Operation.READ)
                || select.getRestrictions().isKeyRange()) {
            return List.of();
        }
        return touched(table, Operation.READ, version.partitionKeys(select, options, state));
    }

    private LimitedTable limitedWrites(ModificationStatement statement) {
        LimitedTable table = limits.get(statement.metadata.id);
        return table == null || !table.limits(Operation.WRITE) ? null : table;
    }

    private static List<TouchedPartition> touched(LimitedTable table, Operation operation, List<ByteBuffer> keys) {
        if (keys.size() != 1) {
            DistinctPartitions touched = new DistinctPartitions();
            touched.add(table, operation, keys);
            return touched.list();
        }
        TouchedPartition only = new TouchedPartition(table, operation, keys.get(0));
        return only.isLimited() ? List.of(only) : List.of();
    }
}
