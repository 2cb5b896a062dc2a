// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.exceptions.UnauthorizedException;
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
    void noFunctionsOfUsers() {
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

    @Test
    void permissionIsAskedForBeforeValidity() {
        assertTrue(Permitted.isPermitted(statement(Map.of()), null));
        assertEquals(List.of("authorize", "validate"), asked);
    }

    @Test
    void cassandrasOwnRefusalGoesToTheClient() {
        UnauthorizedException refusal = new UnauthorizedException("no");
        CQLStatement statement = statement(Map.of("authorize", refusal));
        assertSame(refusal, assertThrows(UnauthorizedException.class, () -> Permitted.isPermitted(statement, null)));
        assertEquals(List.of("authorize"), asked);
    }

    @Test
    void anAuthorizerThatFailsIsCassandrasToReport() {
        assertFalse(Permitted.isPermitted(statement(Map.of("authorize", new IllegalStateException())), null));
        assertFalse(Permitted.isPermitted(statement(Map.of("validate", new IllegalStateException())), null));
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
        UnauthorizedException refusal = new UnauthorizedException("no");
        CQLStatement statement = statement(Map.of("authorize", refusal));
        functions.add(function(true));
        assertTrue(Permitted.mayBind(statement, null));
        assertEquals(List.of(), asked, "there are none of users");
        DatabaseDescriptor.getRawConfig().user_defined_functions_enabled = true;
        assertTrue(Permitted.mayBind(statement, null), "Cassandra's own");
        assertEquals(List.of("getFunctions"), asked);
        functions.add(function(false));
        assertSame(refusal, assertThrows(UnauthorizedException.class, () -> Permitted.mayBind(statement, null)));
        assertTrue(Permitted.mayBind(statement(Map.of()), null), "with the permission");
        assertFalse(Permitted.mayBind(statement(Map.of("authorize", new IllegalStateException())), null));
    }
}
