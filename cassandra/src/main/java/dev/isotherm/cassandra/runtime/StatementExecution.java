// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.exceptions.CassandraException;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;

/** Executes clients' statements, with the interceptors called before and after in their order. */
public final class StatementExecution {
    private final StatementInterceptor[] interceptors;
    private final Failures failures;
    private final BooleanSupplier idle;

    /** @param idle whether statements are executed without the interceptors */
    public StatementExecution(List<StatementInterceptor> interceptors, Failures failures, BooleanSupplier idle) {
        this.failures = failures;
        this.idle = idle;
        this.interceptors = interceptors.toArray(new StatementInterceptor[0]);
    }

    /**
     * Executes a statement.
     *
     * @param execution executes the statement with the time it is given; a nested statement, executed within another,
     *     gets its own time and is not intercepted
     */
    public <R> R execute(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Dispatcher.RequestTime requestTime,
            Function<Dispatcher.RequestTime, R> execution) {
        boolean isIdle = idle.getAsBoolean();
        if (isIdle && !isOfView(statement) || lacksValues(statement, options)) {
            return execution.apply(requestTime);
        }
        StatementScope scope = StatementScope.current();
        if (!scope.begin(statement, state, options, requestTime)) {
            return execution.apply(requestTime);
        }
        return isIdle ? alone(scope, execution) : intercepted(scope, execution);
    }

    /** Whether the statement reads or writes a virtual table: those of the plugin ask whose statement it is. */
    private static boolean isOfView(CQLStatement statement) {
        if (statement instanceof SelectStatement) {
            return ((SelectStatement) statement).table.isVirtual();
        }
        if (statement instanceof ModificationStatement) {
            return ((ModificationStatement) statement).isVirtual();
        }
        return statement instanceof BatchStatement && isOfView((BatchStatement) statement);
    }

    /** Of a batch Cassandra has either all statements write virtual tables or none. */
    private static boolean isOfView(BatchStatement batch) {
        List<ModificationStatement> writes = batch.getStatements();
        return !writes.isEmpty() && writes.get(0).isVirtual();
    }

    /** Whether Cassandra refuses the statement, as the client has sent too few values, or too many. */
    private static boolean lacksValues(CQLStatement statement, QueryOptions options) {
        return options.getValues().size() != statement.getBindVariables().size();
    }

    private <R> R alone(StatementScope scope, Function<Dispatcher.RequestTime, R> execution) {
        try {
            return execution.apply(scope.requestTime());
        } finally {
            scope.end(failures);
        }
    }

    /** Executes a batch of the protocol. */
    public <R> R execute(
            BatchStatement batch,
            QueryState state,
            BatchQueryOptions options,
            Dispatcher.RequestTime requestTime,
            Function<Dispatcher.RequestTime, R> execution) {
        boolean isIdle = idle.getAsBoolean();
        if (isIdle && !isOfView(batch)) {
            return execution.apply(requestTime);
        }
        StatementScope scope = StatementScope.current();
        if (!scope.begin(batch, state, options, requestTime)) {
            return execution.apply(requestTime);
        }
        return isIdle ? alone(scope, execution) : intercepted(scope, execution);
    }

    private <R> R intercepted(StatementScope scope, Function<Dispatcher.RequestTime, R> execution) {
        try {
            R result;
            try {
                for (StatementInterceptor interceptor : interceptors) {
                    before(interceptor, scope);
                }
                result = execution.apply(scope.requestTime());
            } catch (RuntimeException | Error failure) {
                RuntimeException instead = instead(scope, failure);
                if (instead != null) {
                    throw instead;
                }
                throw failure;
            }
            for (StatementInterceptor interceptor : interceptors) {
                succeeded(interceptor, scope);
            }
            return result;
        } finally {
            scope.end(failures);
        }
    }

    private void before(StatementInterceptor interceptor, StatementScope scope) {
        try {
            interceptor.before(scope);
        } catch (CassandraException refusal) {
            throw refusal;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A statement is executed without what a feature does before it", e);
        }
    }

    private void succeeded(StatementInterceptor interceptor, StatementScope scope) {
        try {
            interceptor.succeeded(scope);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A statement has succeeded without what a feature does after it", e);
        }
    }

    /**
     * The exception that replaces the failure for the client: the first that an interceptor returns; null if there is
     * none.
     */
    private RuntimeException instead(StatementScope scope, Throwable failure) {
        RuntimeException instead = null;
        for (StatementInterceptor interceptor : interceptors) {
            try {
                RuntimeException named = interceptor.failed(scope, failure);
                if (instead == null) {
                    instead = named;
                }
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failures.record("A statement has failed without what a feature does after it", e);
            }
        }
        return instead;
    }
}
