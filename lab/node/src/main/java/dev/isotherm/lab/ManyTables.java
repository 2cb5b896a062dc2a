// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.Schema;

/** Tables of one kind, many at a time: each change of the schema costs Cassandra a look at all of it. */
final class ManyTables {
    private ManyTables() {}

    /** Creates {@code spread_<first>} to {@code spread_<last - 1>} in one change of the schema. */
    static void create(String keyspace, int first, int last) {
        Schema.instance.transform(schema -> with(schema, keyspace, first, last));
    }

    static Keyspaces with(Keyspaces schema, String keyspace, int first, int last) {
        KeyspaceMetadata own = schema.getNullable(keyspace);
        for (int number = first; number < last; number++) {
            String statement = String.format("CREATE TABLE spread_%d (key bigint PRIMARY KEY, value bigint)", number);
            own = own.withSwapped(own.tables.with(
                    CreateTableStatement.parse(statement, keyspace).build()));
        }
        return schema.withAddedOrUpdated(own);
    }
}
