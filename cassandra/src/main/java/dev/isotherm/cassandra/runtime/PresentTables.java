// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.schema.Schema;

/** The tables of this node, Cassandra's own among them. */
public final class PresentTables {
    private PresentTables() {}

    /** All of them. ColumnFamilyStore.all() would fail on a keyspace that is being dropped. */
    public static List<ColumnFamilyStore> all() {
        List<ColumnFamilyStore> tables = new ArrayList<>();
        for (String name : Schema.instance.getKeyspaces()) {
            Keyspace keyspace = Schema.instance.getKeyspaceInstance(name);
            if (keyspace != null) {
                tables.addAll(keyspace.getColumnFamilyStores());
            }
        }
        return tables;
    }
}
