// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import java.nio.ByteBuffer;
import java.util.Map;

import dev.isotherm.cassandra.Isotherm;
import dev.isotherm.cassandra.config.StartupChecks;
import dev.isotherm.cassandra.heat.ReadContext;
import dev.isotherm.cassandra.heat.StatementReader;
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
 * The query handler to name in {@code -Dcassandra.custom_query_handler_class}: Cassandra's own, or the one that
 * {@code isotherm.yaml} names, with the statement in progress known to the snitch.
 */
public final class IsothermQueryHandler implements QueryHandler {
    private final QueryHandler handler;
    private final StatementReader reader;

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
        reader = snitch.isotherm().map(Isotherm::statementReader).orElse(null);
    }

    @Override
    public CQLStatement parse(String query, QueryState state, QueryOptions options) {
        return handler.parse(query, state, options);
    }

    @Override
    public ResultMessage process(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            Dispatcher.RequestTime requestTime) {
        ReadContext context = begin(statement, state, options);
        try {
            return handler.process(statement, state, options, customPayload, requestTime);
        } finally {
            context.clear();
        }
    }

    @Override
    public ResultMessage.Prepared prepare(String query, ClientState clientState, Map<String, ByteBuffer> customPayload) {
        return handler.prepare(query, clientState, customPayload);
    }

    @Override
    public Prepared getPrepared(MD5Digest id) {
        return handler.getPrepared(id);
    }

    @Override
    public ResultMessage processPrepared(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Map<String, ByteBuffer> customPayload,
            Dispatcher.RequestTime requestTime) {
        ReadContext context = begin(statement, state, options);
        try {
            return handler.processPrepared(statement, state, options, customPayload, requestTime);
        } finally {
            context.clear();
        }
    }

    @Override
    public ResultMessage processBatch(
            BatchStatement statement,
            QueryState state,
            BatchQueryOptions options,
            Map<String, ByteBuffer> customPayload,
            Dispatcher.RequestTime requestTime) {
        return handler.processBatch(statement, state, options, customPayload, requestTime);
    }

    private ReadContext begin(CQLStatement statement, QueryState state, QueryOptions options) {
        ReadContext context = ReadContext.current();
        if (reader != null) {
            reader.begin(context, statement, state, options);
        }
        return context;
    }
}
