// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ManyTablesTest {
    @BeforeAll
    static void cassandraHasDefaults() {
        DatabaseDescriptor.clientInitialization();
    }

    @Test
    void tablesAreAddedToThoseThatAreThere() {
        KeyspaceMetadata lab = KeyspaceMetadata.create("lab", KeyspaceParams.simple(1), Tables.none());
        KeyspaceMetadata other = KeyspaceMetadata.create("other", KeyspaceParams.simple(1), Tables.none());
        Keyspaces some = ManyTables.with(Keyspaces.of(lab, other), "lab", 0, 2);
        Keyspaces more = ManyTables.with(some, "lab", 2, 3);
        Set<String> names = new TreeSet<>();
        for (TableMetadata table : more.getNullable("lab").tables) {
            names.add(table.name);
            assertEquals(
                    "bigint",
                    table.getColumn(table.partitionKeyColumns().get(0).name)
                            .type
                            .asCQL3Type()
                            .toString());
        }
        assertEquals(Set.of("spread_0", "spread_1", "spread_2"), names);
        assertEquals(
                some.getNullable("lab").tables.getNullable("spread_0").id,
                more.getNullable("lab").tables.getNullable("spread_0").id);
        assertSame(other, more.getNullable("other"));
    }
}
