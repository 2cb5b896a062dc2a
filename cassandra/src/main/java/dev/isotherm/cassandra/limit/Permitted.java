// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.runtime.UserFunctions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.ClientState;

/**
 * Whether a client may execute the present statement, asked before anything of its partitions is decided. It is asked
 * once: where permissions are not cached each question is a read. Who may not is refused by Cassandra, below the
 * operator's query handler, which may record the attempt, or execute it in another's name.
 */
final class Permitted implements StatementScope.Part {
    private static final StatementScope.Slot<Permitted> SLOT = new StatementScope.Slot<>(Permitted::new);

    private boolean asked;
    private boolean permitted;

    private Permitted() {}

    /**
     * Asks for the permission and for what makes the statement valid.
     *
     * @return false if Cassandra refuses the statement, or the operator's own authorizer fails: Cassandra asks again
     *     and reports it, and that is no failure of this plugin
     */
    static boolean isPermitted(StatementScope scope) {
        Permitted answer = scope.part(SLOT);
        if (!answer.asked) {
            answer.ask(scope.statement(), scope.state().getClientState());
        }
        return answer.permitted;
    }

    private void ask(CQLStatement statement, ClientState state) {
        asked = true;
        try {
            statement.authorize(state);
            if (statement instanceof BatchStatement) {
                // What makes the batch as a whole valid, which Cassandra asks of a protocol batch between these two.
                ((BatchStatement) statement).validate();
            }
            statement.validate(state);
            permitted = true;
        } catch (RuntimeException refusedOrFailed) {
            permitted = false;
        }
    }

    /**
     * Whether the plugin may work out the statement's keys. Users' functions run for that, which Cassandra lets nobody
     * have done without the permission.
     */
    static boolean mayBind(StatementScope scope) {
        return !UserFunctions.areIn(scope.statement()) || isPermitted(scope);
    }

    @Override
    public void clear() {
        asked = false;
        permitted = false;
    }
}
