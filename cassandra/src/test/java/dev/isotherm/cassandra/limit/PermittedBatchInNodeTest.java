// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import java.io.IOException;
import java.util.List;
import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.VariableSpecifications;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Batches as the protocol brings them, which nothing has validated before they are executed. */
class PermittedBatchInNodeTest {
    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        NodeInProcess.counters("batched");
    }

    @AfterEach
    void leaveTheThread() {
        StatementScope.current().end(new Failures());
    }

    private static StatementScope batch(BatchStatement.Type type) {
        ModificationStatement counter =
                (ModificationStatement) WritingNode.parsed("UPDATE ks.batched SET v = v + 1 WHERE k = 1");
        StatementScope scope = StatementScope.current();
        scope.begin(
                new BatchStatement(type, VariableSpecifications.empty(), List.of(counter), Attributes.none()),
                new QueryState(ClientState.forInternalCalls()),
                QueryOptions.DEFAULT,
                null);
        return scope;
    }

    @Test
    void oneThatCassandraRefusesIsNotCounted() {
        assertFalse(Permitted.isPermitted(batch(BatchStatement.Type.LOGGED)));
    }

    @Test
    void oneThatIsValidIsPermitted() {
        assertTrue(Permitted.isPermitted(batch(BatchStatement.Type.COUNTER)));
    }
}
