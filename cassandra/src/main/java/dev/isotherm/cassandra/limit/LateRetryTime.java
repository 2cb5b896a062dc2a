// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.Dispatcher;

/**
 * The time to execute a read with, by which its speculative retry waits longer while fair shares decide about its
 * partition.
 *
 * <p>Cassandra asks a further replica for a read that lasts longer than most of its table's. Those of a partition that
 * saturates its replicas all do, on each of them: the retry would be a third of the work again, for replicas that have
 * no time for it. It waits for half of the read's timeout, as Cassandra's own does until it knows the table's
 * latencies. Then a read of which a replica answers nothing is still served by another.
 */
/*
 * AbstractReadExecutor asks, on the statement's thread, for the client's deadline, and then for the instant from which
 * the retry's time counts, if it may come before that deadline. Nothing else asks for the former: what Dispatcher's
 * class itself derives from it is asked of the time that this one stands for.
 */
class LateRetryTime extends Dispatcher.RequestTime {
    final TableMetadata table;
    final Thread statementThread = Thread.currentThread();
    private final Dispatcher.RequestTime time;
    private final BooleanSupplier isCut;
    private final Failures failures;
    /** For the statement's thread: whether the next instant is that from which the retry's time counts. */
    private boolean isForRetry;

    /** @param isCut whether shares decide about the partition at the instant of the call */
    LateRetryTime(Dispatcher.RequestTime time, TableMetadata table, BooleanSupplier isCut, Failures failures) {
        super(time.enqueuedAtNanos(), time.startedAtNanos());
        this.time = time;
        this.table = table;
        this.isCut = isCut;
        this.failures = failures;
    }

    @Override
    public long clientDeadline() {
        if (Thread.currentThread() == statementThread) {
            isForRetry = true;
        }
        return time.clientDeadline();
    }

    @Override
    public long startedAtNanos() {
        long started = time.startedAtNanos();
        if (Thread.currentThread() != statementThread || !isForRetry) {
            return started;
        }
        isForRetry = false;
        try {
            return isCut.getAsBoolean() ? started + laterNanos() : started;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A speculative retry does not wait for longer", e);
            return started;
        }
    }

    /** By how much later the retry comes than Cassandra would have it come. */
    private long laterNanos() {
        ColumnFamilyStore store = ColumnFamilyStore.getIfExists(table.id);
        long usual = store == null ? 0 : TimeUnit.MICROSECONDS.toNanos(store.sampleReadLatencyMicros);
        return Math.max(0, DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS) / 2 - usual);
    }

    @Override
    public long computeDeadline(long verbExpiresAfterNanos) {
        return time.computeDeadline(verbExpiresAfterNanos);
    }

    @Override
    public boolean shouldSendHints() {
        return time.shouldSendHints();
    }
}
