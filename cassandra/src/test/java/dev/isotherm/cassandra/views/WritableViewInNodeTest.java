// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.NodeSettings;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.StatementExecution;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.auth.AllowAllAuthenticator;
import org.apache.cassandra.auth.AllowAllAuthorizer;
import org.apache.cassandra.auth.AuthenticatedUser;
import org.apache.cassandra.auth.DataResource;
import org.apache.cassandra.auth.IAuthenticator;
import org.apache.cassandra.auth.IAuthorizer;
import org.apache.cassandra.auth.IResource;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may write a view, by Cassandra's own execution of statements. */
class WritableViewInNodeTest {
    private static final String UPDATE = "UPDATE isotherm.settings SET value = 'new' WHERE name = 'one'";
    private static final String BATCH = "BEGIN UNLOGGED BATCH " + UPDATE + "; APPLY BATCH";
    private static final DataResource VIEW = DataResource.table("isotherm", "settings");

    private static IAuthenticator authenticator;
    private static IAuthorizer authorizer;

    private final Dispatcher.RequestTime time = Dispatcher.RequestTime.forImmediateExecution();
    private String value = "old";

    /** A role with MODIFY on some resources. */
    private static class Role extends AuthenticatedUser {
        private final Set<IResource> granted;

        Role(IResource... granted) {
            super("application");
            this.granted = Set.of(granted);
        }

        @Override
        public Set<Permission> getPermissions(IResource resource) {
            return granted.contains(resource) ? Set.of(Permission.MODIFY) : Set.of();
        }

        @Override
        public boolean isSuper() {
            return false;
        }

        @Override
        public boolean canLogin() {
            return true;
        }

        @Override
        public boolean hasLocalAccess() {
            return true;
        }

        @Override
        public boolean hasAccessFromIp(InetSocketAddress address) {
            return true;
        }
    }

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        authenticator = DatabaseDescriptor.getAuthenticator();
        authorizer = DatabaseDescriptor.getAuthorizer();
    }

    @BeforeEach
    void register() {
        RuntimeSetting one = new RuntimeSetting("one", () -> value, changed -> value = changed);
        NodeSettings settings = new NodeSettings(List.of(one), kept -> {}, () -> 0);
        VirtualKeyspaceRegistry.instance.register(
                new VirtualKeyspace(ViewsKeyspace.NAME, List.of(new SettingsTable(ViewsKeyspace.NAME, settings))));
        DatabaseDescriptor.setAuthenticator(new AllowAllAuthenticator() {
            @Override
            public boolean requireAuthentication() {
                return true;
            }
        });
        DatabaseDescriptor.setAuthorizer(new AllowAllAuthorizer() {
            @Override
            public boolean requireAuthorization() {
                return true;
            }
        });
    }

    @AfterEach
    void withoutAuthorisation() {
        DatabaseDescriptor.setAuthenticator(authenticator);
        DatabaseDescriptor.setAuthorizer(authorizer);
    }

    private static ClientState client(AuthenticatedUser user) {
        ClientState client = ClientState.forExternalCalls(new InetSocketAddress("127.0.0.1", 1));
        client.login(user);
        return client;
    }

    private static CQLStatement permitted(String text, ClientState client) {
        CQLStatement statement = QueryProcessor.parseStatement(text, ClientState.forInternalCalls());
        // As Cassandra does before it executes the statement.
        statement.authorize(client);
        statement.validate(client);
        return statement;
    }

    private void execute(boolean isIdle, String text, ClientState client) {
        CQLStatement statement = permitted(text, client);
        QueryState state = new QueryState(client);
        new StatementExecution(List.of(), new Failures(), () -> isIdle)
                .execute(
                        statement,
                        state,
                        QueryOptions.DEFAULT,
                        time,
                        with -> statement.execute(state, QueryOptions.DEFAULT, with));
    }

    private void executeBatchOfProtocol(boolean isIdle, ClientState client) {
        BatchStatement batch = (BatchStatement) permitted(BATCH, client);
        QueryState state = new QueryState(client);
        new StatementExecution(List.of(), new Failures(), () -> isIdle)
                .execute(
                        batch,
                        state,
                        BatchQueryOptions.DEFAULT,
                        time,
                        with -> batch.execute(state, BatchQueryOptions.DEFAULT, with));
    }

    /** On a node on which all features are off, too: they are switched on again here. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aGrantOnAllKeyspacesIsNoneOnAView(boolean isIdle) {
        ClientState application = client(new Role(DataResource.root()));
        for (String write : List.of(UPDATE, BATCH)) {
            UnauthorizedException refusal =
                    assertThrows(UnauthorizedException.class, () -> execute(isIdle, write, application));
            assertEquals(
                    "User application has no MODIFY permission on <table isotherm.settings> or its keyspace;"
                            + " one on all keyspaces does not count",
                    refusal.getMessage());
        }
        assertThrows(UnauthorizedException.class, () -> executeBatchOfProtocol(isIdle, application));
        assertEquals("old", value);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoMayModifyTheViewOrItsKeyspaceWritesIt(boolean isIdle) {
        for (IResource granted : List.of(VIEW, DataResource.allTables("isotherm"), DataResource.keyspace("isotherm"))) {
            assertWrites(isIdle, client(new Role(granted, DataResource.root())));
            assertWrites(isIdle, client(new Role(granted)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSuperuserAndCassandraItselfWriteIt(boolean isIdle) {
        assertWrites(isIdle, ClientState.forInternalCalls());
        assertWrites(isIdle, client(new Role() {
            @Override
            public boolean isSuper() {
                return true;
            }

            @Override
            public Set<Permission> getPermissions(IResource resource) {
                return resource.applicablePermissions();
            }
        }));
    }

    private void assertWrites(boolean isIdle, ClientState client) {
        for (String write : List.of(UPDATE, BATCH)) {
            value = "old";
            execute(isIdle, write, client);
            assertEquals("new", value);
        }
        value = "old";
        executeBatchOfProtocol(isIdle, client);
        assertEquals("new", value);
    }

    /** As on a node whose query handler is another. */
    @Test
    void withoutKnowingWhoseItIsAWriteIsRefusedUnlessAllMayWrite() {
        ClientState client = client(new Role(VIEW));
        CQLStatement update = permitted(UPDATE, client);
        QueryState state = new QueryState(client);
        UnauthorizedException refusal =
                assertThrows(UnauthorizedException.class, () -> update.execute(state, QueryOptions.DEFAULT, time));
        assertEquals(
                "A write of <table isotherm.settings> is refused, as this node does not know whose it is;"
                        + " allowed: on a node with Isotherm's query handler",
                refusal.getMessage());
        assertEquals("old", value);
        withoutAuthorisation();
        update.execute(state, QueryOptions.DEFAULT, time);
        assertEquals("new", value);
    }
}
