// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualSchemaKeyspace;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The calls of the interceptors for a statement, and the state left on the statement's thread. */
class StatementExecutionTest {
    private static final StatementScope.Slot<Note> NOTE = new StatementScope.Slot<>(Note::new);
    private static final StatementScope.Slot<Breaking> BREAKING = new StatementScope.Slot<>(Breaking::new);
    private static final StatementScope.Slot<Note> OTHER = new StatementScope.Slot<>(Note::new);
    private static CQLStatement statement;

    private final Dispatcher.RequestTime time = new Dispatcher.RequestTime(1, 2);
    private final Dispatcher.RequestTime otherTime = new Dispatcher.RequestTime(3, 4);
    private final List<String> calls = new ArrayList<>();
    private final Failures failures = new Failures();

    /** A feature's state for one statement, for tests. */
    private static final class Note implements StatementScope.Part {
        String text;

        @Override
        public void clear() {
            text = null;
        }
    }

    /** The same; it cannot be cleared while its text says so. */
    private static final class Breaking implements StatementScope.Part {
        String text;

        @Override
        public void clear() {
            if (text != null) {
                text = null;
                throw new IllegalStateException("broken");
            }
        }
    }

    /** Records its calls. */
    private class Recording implements StatementInterceptor {
        private final String name;
        private final RuntimeException instead;

        Recording(String name, RuntimeException instead) {
            this.name = name;
            this.instead = instead;
        }

        @Override
        public void before(StatementScope scope) {
            assertSame(statement, scope.statement());
            calls.add(name + " before");
        }

        @Override
        public void succeeded(StatementScope scope) {
            calls.add(name + " succeeded");
        }

        @Override
        public RuntimeException failed(StatementScope scope, Throwable failure) {
            calls.add(name + " failed: " + failure.getMessage());
            return instead;
        }
    }

    @BeforeAll
    static void parse() {
        DatabaseDescriptor.clientInitialization();
        statement = QueryProcessor.getStatement("USE ks", ClientState.forInternalCalls());
    }

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertNull(StatementScope.current().statement());
        assertNull(StatementScope.current().requestTime());
        assertNull(StatementScope.current().part(NOTE).text);
    }

    private String execute(
            List<StatementInterceptor> interceptors,
            java.util.function.Function<Dispatcher.RequestTime, String> execution) {
        QueryState state = new QueryState(ClientState.forInternalCalls());
        return new StatementExecution(interceptors, failures, () -> false)
                .execute(statement, state, QueryOptions.DEFAULT, time, execution);
    }

    @Test
    void eachInterceptorIsCalledBeforeAndAfterInOrder() {
        String result = execute(List.of(new Recording("a", null), new Recording("b", null)), handed -> {
            assertSame(time, handed);
            calls.add("executed");
            return "result";
        });
        assertEquals("result", result);
        assertEquals(List.of("a before", "b before", "executed", "a succeeded", "b succeeded"), calls);
    }

    @Test
    void whileNothingIsDoneNoInterceptorIsCalled() {
        QueryState state = new QueryState(ClientState.forInternalCalls());
        String result = new StatementExecution(List.of(new Recording("a", null)), failures, () -> true)
                .execute(statement, state, QueryOptions.DEFAULT, time, handed -> {
                    assertSame(time, handed);
                    assertNull(StatementScope.current().statement());
                    return "result";
                });
        assertEquals("result", result);
        assertEquals(List.of(), calls);
    }

    /** A virtual table of the plugin asks who reads it. */
    @Test
    void whileNothingIsDoneAVirtualTableIsReadInItsScopeAllTheSame() {
        VirtualKeyspaceRegistry.instance.register(VirtualSchemaKeyspace.instance);
        QueryState state = new QueryState(ClientState.forInternalCalls());
        CQLStatement select =
                QueryProcessor.getStatement("SELECT * FROM system_virtual_schema.tables", state.getClientState());
        String result = new StatementExecution(List.of(new Recording("a", null)), failures, () -> true)
                .execute(select, state, QueryOptions.DEFAULT, time, handed -> {
                    assertSame(state, StatementScope.current().state());
                    return "result";
                });
        assertEquals("result", result);
        assertEquals(List.of(), calls);
    }

    @Test
    void anInterceptorMayHaveItExecutedWithAnotherTime() {
        AtomicReference<Dispatcher.RequestTime> handed = new AtomicReference<>();
        execute(List.of(scope -> scope.executeWith(otherTime)), with -> {
            handed.set(with);
            return "";
        });
        assertSame(otherTime, handed.get());
    }

    @Test
    void aFailureReachesTheClientAsItIsUnlessAnInterceptorNamesAnother() {
        RuntimeException failure = new IllegalStateException("failure");
        RuntimeException instead = new IllegalStateException("instead");
        for (RuntimeException named : new RuntimeException[] {null, instead}) {
            calls.clear();
            List<StatementInterceptor> interceptors =
                    List.of(new Recording("a", null), new Recording("b", named), new Recording("c", null));
            RuntimeException thrown = assertThrows(
                    RuntimeException.class,
                    () -> execute(interceptors, with -> {
                        throw failure;
                    }));
            assertSame(named == null ? failure : instead, thrown);
            assertEquals(
                    List.of(
                            "a before",
                            "b before",
                            "c before",
                            "a failed: failure",
                            "b failed: failure",
                            "c failed: failure"),
                    calls);
        }
    }

    @Test
    void anErrorStaysAnError() {
        Error error = new StackOverflowError("deep");
        assertSame(
                error,
                assertThrows(
                        Error.class,
                        () -> execute(List.of(new Recording("a", null)), with -> {
                            throw error;
                        })));
    }

    @Test
    void aRefusalIsWhatTheClientGetsAndNothingIsExecuted() {
        RuntimeException refusal = new ConfigurationException("refused");
        List<StatementInterceptor> interceptors = List.of(new Recording("a", null), scope -> {
            throw refusal;
        });
        assertSame(refusal, assertThrows(RuntimeException.class, () -> execute(interceptors, with -> "executed")));
        assertEquals(List.of("a before", "a failed: refused"), calls);
    }

    @Test
    void anInterceptorThatBreaksIsCountedAndTheOthersAreCalled() {
        StatementInterceptor broken = new StatementInterceptor() {
            @Override
            public void before(StatementScope scope) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void succeeded(StatementScope scope) {
                throw new NoSuchMethodError("broken");
            }

            @Override
            public RuntimeException failed(StatementScope scope, Throwable failure) {
                throw new NullPointerException("broken");
            }
        };
        List<StatementInterceptor> interceptors = List.of(broken, new Recording("a", null));
        assertEquals("executed", execute(interceptors, with -> "executed"));
        assertEquals(List.of("a before", "a succeeded"), calls);
        assertEquals(2, failures.count());

        calls.clear();
        RuntimeException failure = new IllegalStateException("failure");
        assertSame(
                failure,
                assertThrows(
                        RuntimeException.class,
                        () -> execute(interceptors, with -> {
                            throw failure;
                        })));
        assertEquals(List.of("a before", "a failed: failure"), calls);
        assertEquals(4, failures.count());
    }

    @Test
    void whatCannotBeClearedIsCountedAndTheRestIsCleared() {
        StatementInterceptor noting = scope -> {
            scope.part(BREAKING).text = "a";
            scope.part(NOTE).text = "b";
        };
        assertEquals("executed", execute(List.of(noting), with -> "executed"));
        assertEquals(1, failures.count());
    }

    @Test
    void aStatementInTheMidstOfAnotherIsCassandrasOwn() {
        StatementInterceptor keeping = scope -> scope.part(NOTE).text = "outer";
        String result = execute(List.of(new Recording("a", null), keeping), outer -> {
            String inner = execute(List.of(new Recording("inner", null)), with -> {
                assertSame(time, with);
                return "inner";
            });
            assertEquals("outer", StatementScope.current().part(NOTE).text, "what the outer one kept");
            return inner + " in outer";
        });
        assertEquals("inner in outer", result);
        assertEquals(List.of("a before", "a succeeded"), calls);
    }

    @Test
    void eachFeatureKeepsAPartOfItsOwnOnEachThread() throws InterruptedException {
        StatementScope scope = StatementScope.current();
        assertSame(scope.part(NOTE), scope.part(NOTE));
        assertNotSame(scope.part(NOTE), scope.part(OTHER));
        AtomicReference<Note> elsewhere = new AtomicReference<>();
        Thread thread = new Thread(() -> elsewhere.set(StatementScope.current().part(NOTE)));
        thread.start();
        thread.join();
        assertNotSame(scope.part(NOTE), elsewhere.get());
    }
}
