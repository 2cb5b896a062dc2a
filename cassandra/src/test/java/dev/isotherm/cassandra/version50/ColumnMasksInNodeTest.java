// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version50;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.innode.NodeInProcess;
import java.util.Set;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whoever sees a masked key only masked in Cassandra does not see it here. */
class ColumnMasksInNodeTest {
    @BeforeAll
    static void begin() throws Exception {
        NodeInProcess.begin();
        DatabaseDescriptor.setDynamicDataMaskingEnabled(true);
    }

    private static TableMetadata table(String columns) {
        return CreateTableStatement.parse("CREATE TABLE masked (" + columns + ")", NodeInProcess.KEYSPACE)
                .build();
    }

    @Test
    void maskedKeysTakeAPermission() {
        assertEquals(
                Set.of(Permission.UNMASK),
                ColumnMasks.permissionsForKeys(
                        table("a int, b text MASKED WITH DEFAULT, v int, PRIMARY KEY ((a, b))")));
    }

    @Test
    void otherMasksTakeNone() {
        assertEquals(
                Set.of(),
                ColumnMasks.permissionsForKeys(
                        table("a int, b text, v int MASKED WITH DEFAULT, PRIMARY KEY ((a, b))")));
    }
}
