// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.schema.FirstContacts;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/** {@link BlockFor} by the schema at the time of the call; none where a table or its keyspace has been dropped. */
final class SchemaBlockFor implements BlockFor {
    @Override
    public int inAll(TableId id, ConsistencyLevel level) {
        TableMetadata table = Schema.instance.getTableMetadata(id);
        return table == null ? NONE : inAll(table, level);
    }

    static int inAll(TableMetadata table, ConsistencyLevel level) {
        AbstractReplicationStrategy strategy = strategyOf(table);
        return strategy == null ? NONE : FirstContacts.of(table, strategy, level);
    }

    @Override
    public int inEach(TableId id, ConsistencyLevel level, String datacenter) {
        TableMetadata table = Schema.instance.getTableMetadata(id);
        if (table == null || level != ConsistencyLevel.EACH_QUORUM) {
            return NONE;
        }
        AbstractReplicationStrategy strategy = strategyOf(table);
        return strategy instanceof NetworkTopologyStrategy
                ? ConsistencyLevel.localQuorumFor(strategy, datacenter)
                : NONE;
    }

    private static AbstractReplicationStrategy strategyOf(TableMetadata table) {
        // Keyspace.open() fails for one that is dropped meanwhile.
        Keyspace keyspace = Schema.instance.getKeyspaceInstance(table.keyspace);
        return keyspace == null ? null : keyspace.getReplicationStrategy();
    }
}
