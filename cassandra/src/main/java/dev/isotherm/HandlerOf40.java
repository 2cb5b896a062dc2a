// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * A query handler with the methods of Cassandra 4.0, which take the instant of the request's beginning in place of the
 * object of later releases. The plugin is compiled against a later release, so the methods are found by name.
 */
final class HandlerOf40 {
    private final QueryHandler handler;
    private final MethodHandle process = find("process", CQLStatement.class, QueryOptions.class);
    private final MethodHandle processPrepared = find("processPrepared", CQLStatement.class, QueryOptions.class);
    private final MethodHandle processBatch = find("processBatch", BatchStatement.class, BatchQueryOptions.class);

    HandlerOf40(QueryHandler handler) {
        this.handler = handler;
    }

    private static MethodHandle find(String name, Class<?> statement, Class<?> options) {
        MethodType type =
                MethodType.methodType(ResultMessage.class, statement, QueryState.class, options, Map.class, long.class);
        try {
            return MethodHandles.publicLookup().findVirtual(QueryHandler.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cassandra has no " + name + " as of 4.0", e);
        }
    }

    ResultMessage process(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            long startNanoTime) {
        return call(process, statement, state, options, customPayload, startNanoTime);
    }

    ResultMessage processPrepared(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            long startNanoTime) {
        return call(processPrepared, statement, state, options, customPayload, startNanoTime);
    }

    ResultMessage processBatch(
            BatchStatement statement,
            QueryState state,
            BatchQueryOptions options,
            Map<String, ByteBuffer> customPayload,
            long startNanoTime) {
        return call(processBatch, statement, state, options, customPayload, startNanoTime);
    }

    /** Calls one of the three methods; the handlers of Cassandra declare unchecked exceptions alone. */
    private ResultMessage call(
            MethodHandle method,
            Object statement,
            QueryState state,
            Object options,
            Map<String, ByteBuffer> customPayload,
            long startNanoTime) {
        try {
            return (ResultMessage) method.invoke(handler, statement, state, options, customPayload, startNanoTime);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
