// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.Isotherm;
import dev.isotherm.cassandra.config.StartupChecks;
import dev.isotherm.cassandra.heat.ReadContext;
import dev.isotherm.cassandra.heat.StatementReader;
import dev.isotherm.cassandra.limit.Admission;
import dev.isotherm.cassandra.limit.RateLimitRejection;
import dev.isotherm.cassandra.limit.TravellingRequest;
import dev.isotherm.cassandra.queue.CounterUpdate;
import dev.isotherm.cassandra.queue.LeaderSteering;
import dev.isotherm.cassandra.schema.LimitOption;
import java.nio.ByteBuffer;
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
 * The query handler to name in {@code -Dcassandra.custom_query_handler_class}: Cassandra's own, or the one that
 * {@code isotherm.yaml} names, with the statement in progress known to the snitch, the limits of partitions kept, and the
 * table option that sets them understood.
 */
public final class IsothermQueryHandler implements QueryHandler {
    private final QueryHandler handler;
    private final StatementReader reader;
    private final Admission admission;
    private final LimitOption limitOption;
    private final LeaderSteering steering;

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
        admission = snitch.isotherm()
                .map(isotherm -> isotherm.limiting().admission())
                .orElse(null);
        steering =
                snitch.isotherm().map(isotherm -> isotherm.leaders().steering()).orElse(null);
        limitOption = snitch.isotherm().map(Isotherm::limitOption).orElse(null);
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
        return execute(
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
        return execute(
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
        TravellingRequest request =
                admission == null ? null : admission.admit(statement, options, state.getClientState(), requestTime);
        return execute(
                statement,
                request,
                requestTime,
                time -> handler.processBatch(statement, state, options, customPayload, time));
    }

    private ResultMessage execute(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Dispatcher.RequestTime requestTime,
            Function<Dispatcher.RequestTime, ResultMessage> execution) {
        TravellingRequest request =
                admission == null ? null : admission.admit(statement, options, state.getClientState(), requestTime);
        ReadContext context = ReadContext.current();
        if (reader != null) {
            reader.begin(context, statement, state, options);
        }
        try {
            return execute(statement, request, requestTime, execution);
        } finally {
            context.clear();
        }
    }

    private ResultMessage execute(
            CQLStatement statement,
            TravellingRequest request,
            Dispatcher.RequestTime requestTime,
            Function<Dispatcher.RequestTime, ResultMessage> execution) {
        CounterUpdate update = CounterUpdate.current();
        if (steering != null && steering.isOn()) {
            update.begin(statement);
        }
        try {
            return execute(request, requestTime, execution);
        } finally {
            update.clear();
        }
    }

    private ResultMessage execute(
            TravellingRequest request,
            Dispatcher.RequestTime requestTime,
            Function<Dispatcher.RequestTime, ResultMessage> execution) {
        if (request == null) {
            return execution.apply(requestTime);
        }
        ResultMessage result;
        try {
            result = execution.apply(request.requestTime());
        } catch (RuntimeException | Error e) {
            RateLimitRejection rejection = admission.failed(request, e);
            if (rejection != null) {
                throw rejection;
            }
            throw e;
        }
        admission.succeeded(request);
        return result;
    }
}
