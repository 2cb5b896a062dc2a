// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import dev.isotherm.cassandra.runtime.StatementScope;
import org.apache.cassandra.auth.AuthenticatedUser;
import org.apache.cassandra.auth.IResource;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;

/** A virtual table that clients write: for those who have MODIFY on it, and not by way of all keyspaces. */
/*
 * What is granted on all keyspaces is for data: Cassandra leaves its own system keyspaces out of it, from 4.1.8 and
 * 5.0.3 on (CASSANDRA-20090), by a fixed list of names that this keyspace cannot join. Cassandra asks for MODIFY before
 * it calls the table; whether the permission came from all keyspaces alone is asked here, beneath every query handler.
 */
public abstract class WritableView extends AbstractVirtualTable {
    protected WritableView(TableMetadata metadata) {
        super(metadata);
    }

    @Override
    public final void apply(PartitionUpdate update) {
        if (DatabaseDescriptor.getAuthorizer().requireAuthorization()) {
            ensurePermission();
        }
        change(update);
    }

    /** Takes over what a client writes who may. */
    protected abstract void change(PartitionUpdate update);

    private void ensurePermission() {
        QueryState state = StatementScope.current().state();
        IResource view = metadata().resource;
        if (state == null) {
            throw new UnauthorizedException(
                    "A write of " + view + " is refused, as this node does not know whose it is;"
                            + " allowed: on a node with Isotherm's query handler");
        }
        ClientState client = state.getClientState();
        if (client.isOrdinaryUser() && !isGranted(client.getUser(), view)) {
            throw new UnauthorizedException(String.format(
                    "User %s has no %s permission on %s or its keyspace; one on all keyspaces does not count",
                    client.getUser().getName(), Permission.MODIFY, view));
        }
    }

    private static boolean isGranted(AuthenticatedUser user, IResource view) {
        for (IResource each = view; each.hasParent(); each = each.getParent()) {
            if (user.getPermissions(each).contains(Permission.MODIFY)) {
                return true;
            }
        }
        return false;
    }
}
