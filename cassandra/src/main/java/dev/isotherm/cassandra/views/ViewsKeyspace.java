// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.schema.CreateKeyspaceStatement;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.Schema;

/**
 * The virtual keyspace of the plugin's views and settings. Cassandra looks a name up among the keyspaces on disk first:
 * one of the same name there hides all of them, the switches among them, on every node.
 */
public final class ViewsKeyspace {
    public static final String NAME = "isotherm";

    private ViewsKeyspace() {}

    /**
     * Refuses the creation of a keyspace of the name.
     *
     * @throws InvalidRequestException if the statement would create it
     */
    public static void requireUnhidden(CQLStatement statement) {
        if (statement instanceof CreateKeyspaceStatement && NAME.equals(statement.getAuditLogContext().keyspace)) {
            throw new InvalidRequestException(
                    "The keyspace " + NAME + " is that of Isotherm's virtual tables, which one"
                            + " of the same name would hide; choose another name");
        }
    }

    /** Whether there is one on disk. */
    public static boolean isHidden() {
        return Schema.instance.distributedKeyspaces().containsKeyspace(NAME);
    }
}
