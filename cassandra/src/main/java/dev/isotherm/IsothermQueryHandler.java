// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.limit.LimitFeature;
import dev.isotherm.cassandra.runtime.StatementExecution;
import dev.isotherm.cassandra.schema.LimitOption;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.cassandra.config.DatabaseDescriptor;
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
 * The query handler to name in {@code -Dcassandra.custom_query_handler_class}: Cassandra's own, or the one that {@code
 * isotherm.yaml} names, with each feature taking part in the execution of statements, and the table option that sets
 * limits understood.
 */
public final class IsothermQueryHandler implements QueryHandler {
    private final QueryHandler handler;
    private final StatementExecution statements;
    private final LimitOption limitOption;

    /**
     * Made by Cassandra when it is about to serve clients; throws what has a ConfigurationException that names the
     * mistake as its cause.
     */
    public IsothermQueryHandler() {
        IsothermSnitch snitch;
        try {
            snitch = StartupChecks.isothermSnitch(DatabaseDescriptor.getEndpointSnitch());
            String operatorHandler = snitch.config().queryHandler();
            handler = operatorHandler == null
                    ? QueryProcessor.instance
                    : FBUtilities.construct(operatorHandler, "QueryHandler", QueryHandler.class);
        } catch (ConfigurationException mistake) {
            throw StartupChecks.asCause(mistake);
        }
        statements = new StatementExecution(
                snitch.isotherm().map(Isotherm::interceptors).orElse(List.of()));
        limitOption = snitch.isotherm()
                .flatMap(Isotherm::limit)
                .map(LimitFeature::option)
                .orElse(null);
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
        Function<Dispatcher.RequestTime, ResultMessage> execution =
                time -> handler.process(statement, state, options, customPayload, time);
        return statements.execute(statement, state, options, requestTime, execution);
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
        Function<Dispatcher.RequestTime, ResultMessage> execution =
                time -> handler.processPrepared(statement, state, options, customPayload, time);
        return statements.execute(statement, state, options, requestTime, execution);
    }

    @Override
    public ResultMessage processBatch(
            BatchStatement statement,
            QueryState state,
            BatchQueryOptions options,
            Map<String, ByteBuffer> customPayload,
            Dispatcher.RequestTime requestTime) {
        Function<Dispatcher.RequestTime, ResultMessage> execution =
                time -> handler.processBatch(statement, state, options, customPayload, time);
        return statements.execute(statement, state, options, requestTime, execution);
    }
}
