// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import java.lang.StackWalker.Option;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.reads.AbstractReadExecutor;
import org.apache.cassandra.transport.Dispatcher;

/**
 * The time to execute a read with, by which its speculative retry waits longer while fair shares decide about its
 * partition.
 *
 * <p>Cassandra asks a further replica for a read that lasts longer than most of its table's. Those of a partition that
 * saturates its replicas all do, on each of them: the retry would be half of the work again, for replicas that have no
 * time for it. It waits for half of the time that the read may take, as Cassandra's own waits for half of the timeout
 * until it knows the table's latencies. Then a read of which a replica answers nothing is still served by another.
 */
class LateRetryTime extends Dispatcher.RequestTime {
    /** Asks when the request began to know when to retry, and for nothing else. */
    private static final Class<?> RETRIES = AbstractReadExecutor.class;

    private static final StackWalker CALLER = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

    final TableMetadata table;
    final Thread statementThread = Thread.currentThread();
    private final BooleanSupplier isCut;
    private final Failures failures;
    /** Whether the statement has failed at other replicas: a thread that serves it here goes on. */
    private volatile boolean hasFailedElsewhere;

    /** @param isCut whether shares decide about the partition at the instant of the call */
    LateRetryTime(Dispatcher.RequestTime time, TableMetadata table, BooleanSupplier isCut, Failures failures) {
        super(time.enqueuedAtNanos(), time.startedAtNanos());
        this.table = table;
        this.isCut = isCut;
        this.failures = failures;
    }

    @Override
    public long startedAtNanos() {
        long started = super.startedAtNanos();
        // The statement's thread alone retries. Whoever asks is looked up last: it takes about a microsecond.
        if (Thread.currentThread() != statementThread) {
            return started;
        }
        try {
            return isCut.getAsBoolean() && CALLER.getCallerClass() == RETRIES ? started + laterNanos(started) : started;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A speculative retry does not wait for longer", e);
            return started;
        }
    }

    /** The statement that was executed with this time fails at other replicas. */
    static void failsElsewhere(Dispatcher.RequestTime time) {
        if (time instanceof LateRetryTime) {
            ((LateRetryTime) time).hasFailedElsewhere = true;
        }
    }

    boolean hasFailedElsewhere() {
        return hasFailedElsewhere;
    }

    /** The time by which the retry is later than Cassandra would have it; 0 if it has half of the time. */
    long laterNanos(long started) {
        // As late as the read is answered for: the client's deadline may come before its timeout.
        long left = super.computeDeadline(DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS)) - started;
        ColumnFamilyStore store = ColumnFamilyStore.getIfExists(table.id);
        long usual = store == null ? 0 : TimeUnit.MICROSECONDS.toNanos(store.sampleReadLatencyMicros);
        return Math.max(0, left / 2 - usual);
    }
}
