// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.config.TopLevelKey;
import dev.isotherm.cassandra.limit.LimitFeature;
import dev.isotherm.cassandra.runtime.StatementExecution;
import dev.isotherm.cassandra.schema.LimitOption;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.MD5Digest;

/**
 * The query handler to name in {@code -Dcassandra.custom_query_handler_class}. It wraps Cassandra's own query handler,
 * or the one that {@code isotherm.yaml} names; it lets each feature intercept the execution of statements, and it
 * supports the table option that sets limits.
 */
public final class IsothermQueryHandler implements QueryHandler {
    private final QueryHandler handler;
    /** Null if the plugin is not active in this process. */
    private final StatementExecution statements;
    /** Null if the limit feature is not available. */
    private final LimitOption limitOption;

    private volatile HandlerOf40 handlerOf40;

    /**
     * Called by Cassandra when it is about to serve clients; throws an exception whose cause is a
     * ConfigurationException that names the mistake.
     */
    public IsothermQueryHandler() {
        Optional<Isotherm> isotherm = Optional.empty();
        try {
            Optional<String> operatorHandler;
            if (CassandraVersions.isKnown(FBUtilities.getReleaseVersionString())) {
                Installation installation = StartupChecks.isothermSnitch().installation();
                operatorHandler = installation.queryHandler();
                isotherm = installation.isotherm();
            } else {
                operatorHandler = TopLevelKey.read("query_handler");
            }
            handler = operatorHandler.map(OperatorClass::queryHandler).orElse(QueryProcessor.instance);
        } catch (ConfigurationException mistake) {
            throw StartupChecks.asCause(mistake);
        }
        statements = isotherm.map(
                        plugin -> new StatementExecution(plugin.interceptors(), plugin.failures(), plugin::isIdle))
                .orElse(null);
        limitOption =
                isotherm.flatMap(Isotherm::limit).map(LimitFeature::option).orElse(null);
    }

    @Override
    public CQLStatement parse(String query, QueryState state, QueryOptions options) {
        CQLStatement statement = handler.parse(query, state, options);
        return limitOption == null ? statement : limitOption.in(statement, query);
    }

    @Override
    public ResultMessage process(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            Dispatcher.RequestTime requestTime) {
        if (statements == null) {
            return handler.process(statement, state, options, customPayload, requestTime);
        }
        // As Cassandra does next: until then values that a client has named have no order in which they can be read.
        options.prepare(statement.getBindVariables());
        return statements.execute(
                statement,
                state,
                options,
                requestTime,
                time -> handler.process(statement, state, options, customPayload, time));
    }

    @Override
    public ResultMessage.Prepared prepare(
            String query, ClientState clientState, Map<String, ByteBuffer> customPayload) {
        return handler.prepare(query, clientState, customPayload);
    }

    @Override
    public Prepared getPrepared(MD5Digest id) {
        Prepared prepared = handler.getPrepared(id);
        return limitOption == null ? prepared : limitOption.in(prepared);
    }

    @Override
    public ResultMessage processPrepared(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            Dispatcher.RequestTime requestTime) {
        return statements == null
                ? handler.processPrepared(statement, state, options, customPayload, requestTime)
                : statements.execute(
                        statement,
                        state,
                        options,
                        requestTime,
                        time -> handler.processPrepared(statement, state, options, customPayload, time));
    }

    @Override
    public ResultMessage processBatch(
            BatchStatement statement,
            QueryState state,
            BatchQueryOptions options,
            Map<String, ByteBuffer> customPayload,
            Dispatcher.RequestTime requestTime) {
        return statements == null
                ? handler.processBatch(statement, state, options, customPayload, requestTime)
                : statements.execute(
                        statement,
                        state,
                        options,
                        requestTime,
                        time -> handler.processBatch(statement, state, options, customPayload, time));
    }

    /** Called by Cassandra 4.0 where later releases call the method above. */
    public ResultMessage process(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            long startNanoTime) {
        return of40().process(statement, state, options, customPayload, startNanoTime);
    }

    /** Called by Cassandra 4.0 where later releases call the method above. */
    public ResultMessage processPrepared(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            long startNanoTime) {
        return of40().processPrepared(statement, state, options, customPayload, startNanoTime);
    }

    /** Called by Cassandra 4.0 where later releases call the method above. */
    public ResultMessage processBatch(
            BatchStatement statement,
            QueryState state,
            BatchQueryOptions options,
            Map<String, ByteBuffer> customPayload,
            long startNanoTime) {
        return of40().processBatch(statement, state, options, customPayload, startNanoTime);
    }

    private HandlerOf40 of40() {
        HandlerOf40 of40 = handlerOf40;
        if (of40 == null) {
            of40 = new HandlerOf40(handler);
            handlerOf40 = of40;
        }
        return of40;
    }
}
