// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.cql3.statements.schema;

import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.cassandra.version50.LimitProperties;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.audit.AuditLogContext;
import org.apache.cassandra.auth.IResource;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.Keyspaces.KeyspacesDiff;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.Event.SchemaChange;

/**
 * A CREATE or ALTER TABLE of Cassandra that also sets the table's limits, in the same schema change.
 *
 * <p>Permission, validation, guardrails, events, grants and audit are those of the inner statement. The class is in
 * Cassandra's package because the methods that it delegates to are visible only there. Each instance serves one
 * execution.
 */
public final class LimitingTableStatement extends AlterSchemaStatement {
    private final AlterSchemaStatement inner;
    private final TableAttributes attributes;
    private final String table;
    private final boolean creates;
    private TableLimits limits;

    private LimitingTableStatement(
            AlterSchemaStatement inner, TableAttributes attributes, String table, boolean creates) {
        super(inner.keyspaceName);
        this.inner = inner;
        this.attributes = attributes;
        this.table = table;
        this.creates = creates;
    }

    /**
     * The parsed statement with the limits it sets; null if it is neither CREATE nor ALTER TABLE, or sets no limits.
     *
     * @param state provides the keyspace of a table that is named without one
     */
    public static LimitingTableStatement of(CQLStatement.Raw raw, ClientState state) {
        if (raw instanceof CreateTableStatement.Raw) {
            CreateTableStatement.Raw create = (CreateTableStatement.Raw) raw;
            return LimitProperties.areIn(create.attrs)
                    ? new LimitingTableStatement(create.prepare(state), create.attrs, create.table(), true)
                    : null;
        }
        if (raw instanceof AlterTableStatement.Raw) {
            AlterTableStatement.Raw alter = (AlterTableStatement.Raw) raw;
            if (LimitProperties.areIn(alter.attrs)) {
                AlterTableStatement prepared = alter.prepare(state);
                return new LimitingTableStatement(prepared, alter.attrs, prepared.tableName, false);
            }
        }
        return null;
    }

    @Override
    public void authorize(ClientState client) {
        inner.authorize(client);
    }

    @Override
    public void validate(ClientState client) {
        super.validate(client);
        // A query handler of the operator's may have validated it already, which took the option from the properties.
        if (limits == null) {
            limits = LimitProperties.take(attributes);
        }
        inner.validate(client);
    }

    @Override
    public Keyspaces apply(Keyspaces schema) {
        boolean existed = in(schema) != null;
        Keyspaces changed = inner.apply(schema);
        TableMetadata metadata = in(changed);
        // No table: ALTER IF EXISTS. The table existed before: CREATE IF NOT EXISTS. No property left: a guardrail
        // ignores it.
        if (metadata == null || creates && existed || !LimitProperties.areLeftIn(attributes)) {
            return changed;
        }
        KeyspaceMetadata keyspace = changed.getNullable(keyspaceName);
        return changed.withAddedOrUpdated(keyspace.withSwapped(keyspace.tables.withSwapped(limited(metadata))));
    }

    private TableMetadata in(Keyspaces schema) {
        KeyspaceMetadata keyspace = schema.getNullable(keyspaceName);
        return keyspace == null ? null : keyspace.tables.getNullable(table);
    }

    private TableMetadata limited(TableMetadata metadata) {
        Map<String, ByteBuffer> extensions = new HashMap<>(metadata.params.extensions);
        if (limits.isEmpty()) {
            extensions.remove(TableLimits.EXTENSION);
        } else {
            extensions.put(TableLimits.EXTENSION, limits.encode());
        }
        return metadata.withSwapped(
                metadata.params.unbuild().extensions(extensions).build());
    }

    @Override
    SchemaChange schemaChangeEvent(KeyspacesDiff diff) {
        return inner.schemaChangeEvent(diff);
    }

    @Override
    Set<IResource> createdResources(KeyspacesDiff diff) {
        return inner.createdResources(diff);
    }

    @Override
    Set<String> clientWarnings(KeyspacesDiff diff) {
        return inner.clientWarnings(diff);
    }

    @Override
    public AuditLogContext getAuditLogContext() {
        return inner.getAuditLogContext();
    }

    @Override
    public String toString() {
        return inner.toString();
    }
}
