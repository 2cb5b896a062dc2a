// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.version.CassandraVersion;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;

/** The one partition of one table that a statement or a message writes. Immutable. */
final class WrittenPartition {
    final TableMetadata table;
    final ByteBuffer key;
    final Token token;
    /** The id of the partition's writes, the same on every node. */
    final long id;

    private WrittenPartition(TableMetadata table, ByteBuffer key, Token token) {
        this.table = table;
        this.key = key;
        this.token = token;
        this.id = TouchedPartition.idOfWrites(table, token);
    }

    /** Whether the statement writes without a condition, to tables whose partitions have shares. */
    static boolean isPlainWrite(CQLStatement statement) {
        if (statement instanceof ModificationStatement) {
            ModificationStatement write = (ModificationStatement) statement;
            return !write.hasConditions() && FairAdmission.hasShares(write.metadata);
        }
        if (!(statement instanceof BatchStatement) || ((BatchStatement) statement).hasConditions()) {
            return false;
        }
        List<ModificationStatement> writes = ((BatchStatement) statement).getStatements();
        return !writes.isEmpty() && FairAdmission.hasShares(writes.get(0).metadata);
    }

    /** Whether the plain write updates counters: an unlogged batch may, too, and then does nothing else. */
    static boolean isOfCounters(CQLStatement statement) {
        ModificationStatement write = statement instanceof ModificationStatement
                ? (ModificationStatement) statement
                : ((BatchStatement) statement).getStatements().get(0);
        return write.isCounter();
    }

    /** Whether the plain write reads what is there before it writes, as of a list's element by its index. */
    static boolean readsFirst(CQLStatement statement) {
        return statement instanceof ModificationStatement
                ? ((ModificationStatement) statement).requiresRead()
                : ((BatchStatement) statement).getStatements().stream().anyMatch(ModificationStatement::requiresRead);
    }

    /** The partition of the present plain write; null if it writes several, or nothing to replicas. */
    static WrittenPartition of(StatementScope scope, CassandraVersion version) {
        if (!Permitted.mayBind(scope)) {
            return null;
        }
        ClientState state = scope.state().getClientState();
        ConsistencyLevel level = level(scope);
        if (level == null || level == ConsistencyLevel.NODE_LOCAL) {
            return null;
        }
        if (scope.statement() instanceof ModificationStatement) {
            ModificationStatement write = (ModificationStatement) scope.statement();
            return only(write.metadata, version.partitionKeys(write, scope.options(), state));
        }
        BatchQueryOptions options = scope.batchOptions() != null
                ? scope.batchOptions()
                : BatchQueryOptions.withoutPerStatementVariables(scope.options());
        return of((BatchStatement) scope.statement(), options, state, version);
    }

    /** The consistency level of the present statement or batch; null if it has none. */
    static ConsistencyLevel level(StatementScope scope) {
        return scope.options() != null
                ? scope.options().getConsistency()
                : scope.batchOptions() != null ? scope.batchOptions().getConsistency() : null;
    }

    private static WrittenPartition of(
            BatchStatement batch, BatchQueryOptions options, ClientState state, CassandraVersion version) {
        WrittenPartition only = null;
        List<ModificationStatement> writes = batch.getStatements();
        for (int i = 0; i < writes.size(); i++) {
            ModificationStatement write = writes.get(i);
            WrittenPartition next = only(write.metadata, version.partitionKeys(write, options.forStatement(i), state));
            if (next == null || only != null && next.id != only.id) {
                return null;
            }
            only = next;
        }
        return only;
    }

    private static WrittenPartition only(TableMetadata table, List<ByteBuffer> keys) {
        return keys.size() == 1
                ? new WrittenPartition(table, keys.get(0), table.partitioner.getToken(keys.get(0)))
                : null;
    }

    /** The partition of a message's updates; null if they are of several tables. */
    static WrittenPartition of(Collection<PartitionUpdate> updates) {
        if (updates.size() != 1) {
            return null;
        }
        PartitionUpdate update = updates.iterator().next();
        return new WrittenPartition(
                update.metadata(),
                update.partitionKey().getKey(),
                update.partitionKey().getToken());
    }
}
