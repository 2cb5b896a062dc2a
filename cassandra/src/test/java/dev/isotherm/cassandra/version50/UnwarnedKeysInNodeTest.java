// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version50;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.version.TaskWatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.auth.IAuthenticator;
import org.apache.cassandra.auth.PasswordAuthenticator;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.guardrails.GuardrailViolatedException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.ClientWarn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client reads a guardrail's warning of an IN once, from Cassandra, and the guardrail refuses as it does there. */
class UnwarnedKeysInNodeTest {
    private static final TaskWatch UNHEARD = new TaskWatch() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}
    };

    private static final String IN = " WHERE k IN (1, 2, 3)";

    /** One, as it registers a bean. */
    private static IAuthenticator askingForLogin;

    private final Cassandra50 version = new Cassandra50();
    private IAuthenticator before;
    private ClientState client;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        askingForLogin = new PasswordAuthenticator();
        NodeInProcess.table("listed", "comment = ''");
    }

    /** Set in the configuration: the object behind the guardrails' bean is not public in each release. */
    private static void warnAndRefuseAbove(int warned, int refused) {
        DatabaseDescriptor.getGuardrailsConfig().setInSelectCartesianProductThreshold(warned, refused);
    }

    /** Guardrails hold for clients that have to log in and are not superusers. */
    @BeforeEach
    void guard() {
        before = DatabaseDescriptor.getAuthenticator();
        DatabaseDescriptor.setAuthenticator(askingForLogin);
        client = ClientState.forExternalCalls(null);
        ClientWarn.instance.captureWarnings();
    }

    @AfterEach
    void forget() {
        warnAndRefuseAbove(-1, -1);
        ClientWarn.instance.resetWarnings();
        DatabaseDescriptor.setAuthenticator(before);
    }

    private CQLStatement statement(String query) {
        return QueryProcessor.parseStatement(query).prepare(client);
    }

    private List<ByteBuffer> keysOfSelect() {
        return version.partitionKeys(
                (SelectStatement) statement("SELECT v FROM " + NodeInProcess.KEYSPACE + ".listed" + IN),
                QueryOptions.DEFAULT,
                client);
    }

    private List<ByteBuffer> keysOfUpdate() {
        return version.partitionKeys(
                (ModificationStatement) statement("UPDATE " + NodeInProcess.KEYSPACE + ".listed SET v = 1" + IN),
                QueryOptions.DEFAULT,
                client);
    }

    @Test
    void theClientReadsWhatCassandraSaysAlone() {
        warnAndRefuseAbove(2, -1);
        ClientWarn.instance.warn("said before");
        assertEquals(3, keysOfSelect().size());
        assertEquals(3, keysOfUpdate().size());
        assertEquals(List.of("said before"), ClientWarn.instance.getWarnings());

        SelectStatement select =
                (SelectStatement) statement("SELECT v FROM " + NodeInProcess.KEYSPACE + ".listed" + IN);
        select.getRestrictions().getPartitionKeys(QueryOptions.DEFAULT, client);
        assertEquals(2, ClientWarn.instance.getWarnings().size());
    }

    /** It may be the plugin's own, which watches the tasks of the thread. */
    @Test
    void theThreadKeepsItsLocals() {
        Runnable end = WatchedTasks.begin(UNHEARD);
        try {
            ExecutorLocals watched = ExecutorLocals.current();
            keysOfUpdate();
            keysOfSelect();
            assertSame(watched, ExecutorLocals.current());
        } finally {
            end.run();
        }
    }

    @Test
    void whatIsTooManyIsRefusedBeforeItIsWorkedOut() {
        warnAndRefuseAbove(-1, 2);
        assertThrows(GuardrailViolatedException.class, this::keysOfSelect);
        assertThrows(GuardrailViolatedException.class, this::keysOfUpdate);
        ClientWarn.instance.warn("said after");
        assertEquals(List.of("said after"), ClientWarn.instance.getWarnings());
    }
}
