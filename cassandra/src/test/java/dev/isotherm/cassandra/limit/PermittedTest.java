// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PermittedTest {
    private final List<String> asked = new ArrayList<>();
    private final List<Function> functions = new ArrayList<>();

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    @AfterEach
    void leaveTheThread() {
        StatementScope.current().end(new Failures());
        DatabaseDescriptor.getRawConfig().user_defined_functions_enabled = false;
    }

    /** A statement of which these methods throw. */
    private CQLStatement statement(Map<String, RuntimeException> faults) {
        return (CQLStatement) Proxy.newProxyInstance(
                CQLStatement.class.getClassLoader(), new Class<?>[] {CQLStatement.class}, (self, method, arguments) -> {
                    asked.add(method.getName());
                    if (faults.containsKey(method.getName())) {
                        throw faults.get(method.getName());
                    }
                    return method.getName().equals("getFunctions") ? functions : null;
                });
    }

    /** The scope of this statement, in place of the one before. */
    private static StatementScope scope(CQLStatement statement) {
        StatementScope scope = StatementScope.current();
        scope.end(new Failures());
        scope.begin(statement, new QueryState(ClientState.forInternalCalls()), QueryOptions.DEFAULT, null);
        return scope;
    }

    @Test
    void permissionIsAskedForBeforeValidity() {
        assertTrue(Permitted.isPermitted(scope(statement(Map.of()))));
        assertEquals(List.of("authorize", "validate"), asked);
    }

    @Test
    void whatCassandraRefusesIsItsOwnToRefuse() {
        StatementScope scope = scope(statement(Map.of("authorize", new UnauthorizedException("no"))));
        assertFalse(Permitted.isPermitted(scope));
        assertEquals(List.of("authorize"), asked);
    }

    @Test
    void anAuthorizerThatFailsIsCassandrasToReport() {
        for (String failing : new String[] {"authorize", "validate"}) {
            StatementScope scope = scope(statement(Map.of(failing, new IllegalStateException())));
            assertFalse(Permitted.isPermitted(scope));
            asked.clear();
            assertFalse(Permitted.isPermitted(scope));
            assertEquals(List.of(), asked);
        }
    }

    /** By limits, by shares of reads and of writes: without a cache of permissions each question is a read. */
    @Test
    void oneStatementIsAskedAboutOnce() {
        CQLStatement statement = statement(Map.of());
        StatementScope scope = scope(statement);
        assertTrue(Permitted.isPermitted(scope));
        assertTrue(Permitted.isPermitted(scope));
        assertEquals(List.of("authorize", "validate"), asked);
        scope(statement);
        assertTrue(Permitted.isPermitted(scope), "the next one, of another client perhaps");
        assertEquals(List.of("authorize", "validate", "authorize", "validate"), asked);
        asked.clear();
        scope(statement(Map.of("authorize", new UnauthorizedException("no"))));
        assertFalse(Permitted.isPermitted(scope));
        assertFalse(Permitted.isPermitted(scope));
        assertEquals(List.of("authorize"), asked);
        scope(statement);
        assertTrue(Permitted.isPermitted(scope), "the refusal was of the one before");
    }

    private static Function function(boolean isNative) {
        return (Function) Proxy.newProxyInstance(
                Function.class.getClassLoader(),
                new Class<?>[] {Function.class},
                (self, method, arguments) -> method.getName().equals("isNative") ? isNative : null);
    }

    /** Without EXECUTE, or without the table, a client could have the plugin run a function of its choice. */
    @Test
    void permissionIsAskedForBeforeAUsersFunctionRuns() {
        CQLStatement refused = statement(Map.of("authorize", new UnauthorizedException("no")));
        functions.add(function(true));
        assertTrue(Permitted.mayBind(scope(refused)));
        assertEquals(List.of(), asked, "there are none of users");
        DatabaseDescriptor.getRawConfig().user_defined_functions_enabled = true;
        assertTrue(Permitted.mayBind(scope(refused)), "Cassandra's own");
        assertEquals(List.of("getFunctions"), asked);
        functions.add(function(false));
        assertFalse(Permitted.mayBind(scope(refused)));
        assertTrue(Permitted.mayBind(scope(statement(Map.of()))), "with the permission");
        assertFalse(Permitted.mayBind(scope(statement(Map.of("authorize", new IllegalStateException())))));
    }
}
