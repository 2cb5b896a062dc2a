// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.db.view.View;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;

/** Whose keys whoever executes the present statement may see, as by a SELECT: a key may be a name or an address. */
final class MayRead {
    private final CassandraVersion version;
    private final Map<TableId, Boolean> known = new HashMap<>();

    MayRead(CassandraVersion version) {
        this.version = version;
    }

    /** @param noted the table as it was when something was noted of it: it may have been altered or dropped since */
    boolean table(TableMetadata noted) {
        return known.computeIfAbsent(noted.id, id -> {
            QueryState state = StatementScope.current().state();
            // Permissions have names, and another table may have this one's by now.
            TableMetadata table = Schema.instance.getTableMetadata(id);
            return state != null && table != null && isAllowed(state.getClientState(), table);
        });
    }

    private boolean isAllowed(ClientState client, TableMetadata table) {
        TableMetadata granted = table;
        if (table.isView()) {
            // Cassandra asks for permissions on the table of which it is a view.
            TableMetadataRef base = View.findBaseTable(table.keyspace, table.name);
            if (base == null) {
                return false;
            }
            granted = base.get();
        }
        try {
            client.ensureTablePermission(granted, Permission.SELECT);
            for (Permission permission : version.permissionsForKeys(table)) {
                client.ensureTablePermission(granted, permission);
            }
            return true;
        } catch (UnauthorizedException no) {
            return false;
        }
    }
}
