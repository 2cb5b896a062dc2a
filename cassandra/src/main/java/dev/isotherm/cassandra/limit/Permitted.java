// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.UserFunctions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.exceptions.CassandraException;
import org.apache.cassandra.service.ClientState;

/** Whether a client may execute a statement, asked before anything of its partitions is decided. */
final class Permitted {
    private Permitted() {}

    /**
     * Asks for the permission and for what makes the statement valid.
     *
     * @return false if the operator's own authorizer fails: Cassandra asks it again and reports it, and that is no
     *     failure of this plugin
     * @throws CassandraException Cassandra's own refusal of the statement
     */
    static boolean isPermitted(CQLStatement statement, ClientState state) {
        try {
            statement.authorize(state);
            statement.validate(state);
            return true;
        } catch (CassandraException refusal) {
            throw refusal;
        } catch (RuntimeException fault) {
            return false;
        }
    }

    /**
     * Whether the plugin may work out the statement's keys. Users' functions run for that, which Cassandra lets nobody
     * have done without the permission.
     *
     * @throws CassandraException Cassandra's own refusal of the statement
     */
    static boolean mayBind(CQLStatement statement, ClientState state) {
        return !UserFunctions.areIn(statement) || isPermitted(statement, state);
    }
}
