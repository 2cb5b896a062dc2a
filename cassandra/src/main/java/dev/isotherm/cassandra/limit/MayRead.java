// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.StatementScope;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;

/** Which tables whoever executes the present statement may read: a partition's key may be a name or an address. */
final class MayRead {
    private final Map<TableId, Boolean> known = new HashMap<>();

    boolean table(TableMetadata table) {
        return known.computeIfAbsent(table.id, id -> {
            QueryState state = StatementScope.current().state();
            return state != null && isAllowed(state.getClientState(), table);
        });
    }

    private static boolean isAllowed(ClientState client, TableMetadata table) {
        try {
            client.ensureTablePermission(table, Permission.SELECT);
            return true;
        } catch (UnauthorizedException no) {
            return false;
        }
    }
}
