// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;

/**
 * The statement that the present thread executes, and each feature's state for it.
 *
 * <p>Each thread has one object, filled before a statement and cleared after it, so that a statement allocates none.
 * Cassandra calls the snitch and the message sinks on the statement's thread without passing the statement: they find
 * it here.
 */
public final class StatementScope {
    private static final ThreadLocal<StatementScope> CURRENT = ThreadLocal.withInitial(StatementScope::new);

    private CQLStatement statement;
    private QueryState state;
    private QueryOptions options;
    private BatchQueryOptions batchOptions;
    private Dispatcher.RequestTime requestTime;
    private Part[] parts = {};

    private StatementScope() {}

    /** The present thread's scope; it is empty while no statement is being executed. */
    public static StatementScope current() {
        return CURRENT.get();
    }

    /**
     * Begins a statement.
     *
     * @return false if the thread already executes a statement: the scope keeps that one, and the nested statement is
     *     Cassandra's own
     */
    public boolean begin(
            CQLStatement statement, QueryState state, QueryOptions options, Dispatcher.RequestTime requestTime) {
        return begin(statement, state, options, null, requestTime);
    }

    /**
     * Begins a batch of the protocol, as {@link #begin(CQLStatement, QueryState, QueryOptions,
     * Dispatcher.RequestTime)}.
     */
    public boolean begin(
            BatchStatement batch, QueryState state, BatchQueryOptions options, Dispatcher.RequestTime requestTime) {
        return begin(batch, state, null, options, requestTime);
    }

    private boolean begin(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            BatchQueryOptions batchOptions,
            Dispatcher.RequestTime requestTime) {
        if (this.statement != null) {
            return false;
        }
        this.statement = statement;
        this.state = state;
        this.options = options;
        this.batchOptions = batchOptions;
        this.requestTime = requestTime;
        return true;
    }

    /** Ends the statement and clears the features' state; of one that cannot be cleared the failure is recorded. */
    public void end(Failures failures) {
        statement = null;
        state = null;
        options = null;
        batchOptions = null;
        requestTime = null;
        for (Part part : parts) {
            try {
                if (part != null) {
                    part.clear();
                }
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failures.record("What a feature knows of a statement is not cleared after it", e);
            }
        }
    }

    public CQLStatement statement() {
        return statement;
    }

    public QueryState state() {
        return state;
    }

    /** Null for a batch of the protocol. */
    public QueryOptions options() {
        return options;
    }

    /** Null for all but a batch of the protocol. */
    public BatchQueryOptions batchOptions() {
        return batchOptions;
    }

    /** The time to execute the statement with. */
    public Dispatcher.RequestTime requestTime() {
        return requestTime;
    }

    /** Sets another time to execute the statement with. */
    public void executeWith(Dispatcher.RequestTime time) {
        requestTime = time;
    }

    /** One feature's state for the present statement: created at most once per thread. */
    public <T extends Part> T part(Slot<T> slot) {
        if (slot.index >= parts.length || parts[slot.index] == null) {
            parts = Arrays.copyOf(parts, Math.max(parts.length, slot.index + 1));
            parts[slot.index] = slot.make.get();
        }
        @SuppressWarnings("unchecked") // a slot's index is its own
        T part = (T) parts[slot.index];
        return part;
    }

    /** A feature's state for one statement. */
    public interface Part {
        /** The statement has ended. */
        void clear();
    }

    /** The index of one feature's state in each thread's scope: one constant per feature. */
    public static final class Slot<T extends Part> {
        private static final AtomicInteger COUNT = new AtomicInteger();

        private final int index = COUNT.getAndIncrement();
        private final Supplier<T> make;

        public Slot(Supplier<T> make) {
            this.make = make;
        }
    }
}
