// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.LatencySubscribers;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.service.ClientState;

/**
 * Takes the plugin from the way of requests while its process runs, and puts it back: one process serves with it and
 * without it in turns, and its own compilers, memory and processor are the same for both.
 *
 * <p>Cassandra then has its own query handler, the snitch that the plugin wraps, and none of the plugin's filters of
 * messages and subscribers to latencies. What the plugin does beside requests goes on. It needs {@link HookAgent}.
 */
final class Plug {
    private static final String PLUGIN = "dev.isotherm.cassandra.";

    private final QueryHandler handler = (QueryHandler) get(ClientState.class, ExchangeableHandler.FIELD, null);
    private final IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
    private final IEndpointSnitch wrapped = (IEndpointSnitch) get(snitch.getClass(), "operatorSnitch", snitch);
    private final List<Predicate<Message<?>>> inbound = new ArrayList<>();
    private final List<BiPredicate<Message<?>, InetAddressAndPort>> outbound = new ArrayList<>();
    private final Object latencies;
    private boolean out;

    /** The plugin is in its place. */
    @SuppressWarnings("unchecked") // as the sinks' own add methods take them
    Plug() {
        for (Object each : conditions(MessagingService.instance().inboundSink)) {
            inbound.add((Predicate<Message<?>>) each);
        }
        for (Object each : conditions(MessagingService.instance().outboundSink)) {
            outbound.add((BiPredicate<Message<?>, InetAddressAndPort>) each);
        }
        latencies = get(LatencySubscribers.class, "subscribers", MessagingService.instance().latencySubscribers);
        if (inbound.isEmpty() || outbound.isEmpty() || !isOfPlugin(latencies)) {
            throw new IllegalStateException("the plugin is not where it is taken from: filters of messages " + inbound
                    + " and " + outbound + ", subscriber to latencies " + latencies);
        }
    }

    /** Takes it out; nothing if it is. */
    void takeOut() {
        if (!out) {
            set(ClientState.class, ExchangeableHandler.FIELD, null, QueryProcessor.instance);
            DatabaseDescriptor.setEndpointSnitch(wrapped);
            inbound.forEach(MessagingService.instance().inboundSink::remove);
            outbound.forEach(MessagingService.instance().outboundSink::remove);
            set(LatencySubscribers.class, "subscribers", MessagingService.instance().latencySubscribers, null);
            out = true;
            if (!conditions(MessagingService.instance().inboundSink).isEmpty()
                    || !conditions(MessagingService.instance().outboundSink).isEmpty()) {
                throw new IllegalStateException("messages are filtered by the plugin still");
            }
        }
    }

    /** Puts it in again; nothing if it is in. */
    void putIn() {
        if (out) {
            set(LatencySubscribers.class, "subscribers", MessagingService.instance().latencySubscribers, latencies);
            inbound.forEach(MessagingService.instance().inboundSink::add);
            outbound.forEach(MessagingService.instance().outboundSink::add);
            DatabaseDescriptor.setEndpointSnitch(snitch);
            set(ClientState.class, ExchangeableHandler.FIELD, null, handler);
            out = false;
        }
    }

    /** The plugin's conditions in the chain of a sink's filters, at whose end is no filter. */
    private static List<Object> conditions(Object sink) {
        List<Object> found = new ArrayList<>();
        for (Object each = get(sink.getClass(), "sink", sink);
                each.getClass().getSimpleName().equals("Filtered");
                each = next(each)) {
            Object condition = get(each.getClass(), "condition", each);
            if (isOfPlugin(condition)) {
                found.add(condition);
            }
        }
        return found;
    }

    private static Object next(Object filter) {
        return get(filter.getClass(), "next", filter);
    }

    private static boolean isOfPlugin(Object each) {
        return each != null && each.getClass().getName().startsWith(PLUGIN);
    }

    private static Object get(Class<?> type, String field, Object of) {
        try {
            return accessible(type, field).get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The plugin cannot be taken out of this release of Cassandra", e);
        }
    }

    private static void set(Class<?> type, String field, Object of, Object value) {
        try {
            accessible(type, field).set(of, value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The node has not the agent that lets its query handler be exchanged", e);
        }
    }

    private static Field accessible(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
