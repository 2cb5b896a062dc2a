// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.version.TaskWatch;
import dev.isotherm.share.WatchedPartition;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.Dispatcher;

/**
 * The time that threads of this node spend on each partition's writes.
 *
 * <p>A write for another coordinator lies between its message's arrival at the sinks and its response's departure, both
 * on the thread that serves it; that of a counter's leader ends when the leader sends it on. A write for this
 * coordinator begins when its thread asks for the deadline, and ends with the task in which it did.
 */
final class WriteTimes {
    private final CassandraVersion version;
    private final Failures failures;
    private final ThreadLocal<Writing> writings = ThreadLocal.withInitial(Writing::new);
    private final StatementScope.Slot<Watched> slot = new StatementScope.Slot<>(Watched::new);

    /** The write that a thread serves. */
    private static final class Writing {
        FairPool pool;
        /** Null if the write is one that cannot be refused. */
        TableMetadata table;

        long partition;
        long begunNanos;
        /** What counted when it began: the time of a write from before shares were switched off and on is not known. */
        Object era;
        /** The number of the other coordinator's message. */
        long message;
        /** The write of this coordinator's statement whose task the thread runs. */
        WriteHere here;
    }

    /** The present statement's watch over its tasks. */
    private static final class Watched implements StatementScope.Part {
        Runnable end;

        @Override
        public void clear() {
            if (end != null) {
                end.run();
                end = null;
            }
        }
    }

    WriteTimes(CassandraVersion version, Failures failures) {
        this.version = version;
        this.failures = failures;
    }

    /**
     * The present thread begins to serve a write for another coordinator.
     *
     * @param table null if it is one that cannot be refused
     */
    void begin(FairPool pool, TableMetadata table, long partition, long message) {
        Writing writing = writings.get();
        writing.here = null;
        writing.message = message;
        begin(writing, pool, table, partition);
    }

    private static void begin(Writing writing, FairPool pool, TableMetadata table, long partition) {
        writing.pool = pool;
        writing.table = table;
        writing.partition = partition;
        writing.begunNanos = pool.running();
        writing.era = pool.era();
    }

    /**
     * The present thread answers another coordinator's message with this number.
     *
     * @param isServed whether it has written: what was rejected before tells nothing of how long writes take
     */
    void end(long message, boolean isServed) {
        Writing writing = writings.get();
        if (writing.pool == null || writing.here != null || writing.message != message) {
            return;
        }
        if (isServed) {
            finish(writing);
        } else {
            writing.pool = null;
        }
    }

    /**
     * The partition of the write that the present thread answers, if it is large, the threads are saturated, and its
     * operations may be refused; null otherwise.
     *
     * @param message the number of the other coordinator's message
     */
    WatchedPartition cut(FairPool pool, long message) {
        Writing writing = writings.get();
        return writing.here == null && writing.table != null && writing.message == message
                ? pool.refusable(writing.table, writing.partition)
                : null;
    }

    /** The present thread sends on what it has written as the leader of a counter update. */
    void endOfLeader(FairPool counters) {
        Writing writing = writings.get();
        if (writing.pool == counters && writing.here == null) {
            finish(writing);
        }
    }

    private static void finish(Writing writing) {
        FairPool pool = writing.pool;
        writing.pool = null;
        if (writing.era != pool.era()) {
            return;
        }
        long nanos = pool.running() - writing.begunNanos;
        if (writing.table == null) {
            pool.servedOther(nanos);
        } else {
            pool.served(writing.table, writing.partition, nanos);
        }
    }

    /**
     * Times what this node applies itself of the present statement.
     *
     * @param table null if it is a write that cannot be refused
     */
    void watch(StatementScope scope, FairPool pool, TableMetadata table, long partition) {
        WriteHere write = new WriteHere(pool, table, partition);
        scope.part(slot).end = version.watchTasks(write);
        scope.executeWith(new TimedWrite(scope.requestTime(), write));
    }

    /** A write of this coordinator's statement, in each of the tasks that it gives rise to. */
    private final class WriteHere implements TaskWatch {
        private final FairPool pool;
        private final TableMetadata table;
        private final long partition;

        WriteHere(FairPool pool, TableMetadata table, long partition) {
            this.pool = pool;
            this.table = table;
            this.partition = partition;
        }

        @Override
        public void begins() {
            try {
                beginsTask();
            } catch (RuntimeException | LinkageError | AssertionError e) {
                uncounted(e);
            }
        }

        @Override
        public void ends() {
            try {
                endsTask();
            } catch (RuntimeException | LinkageError | AssertionError e) {
                uncounted(e);
            }
        }

        /** In one of the tasks a thread asks for the deadline: it begins to write. */
        void deadlineAsked() {
            try {
                beginsToWrite();
            } catch (RuntimeException | LinkageError | AssertionError e) {
                uncounted(e);
            }
        }

        private void uncounted(Throwable cause) {
            failures.record("The time of a write is not counted", cause);
        }

        private void beginsTask() {
            Writing writing = writings.get();
            writing.here = this;
            writing.pool = null;
        }

        private void endsTask() {
            Writing writing = writings.get();
            boolean own = writing.here == this;
            writing.here = null;
            if (own && writing.pool != null) {
                finish(writing);
            }
        }

        private void beginsToWrite() {
            Writing writing = writings.get();
            if (writing.here == this && writing.pool == null) {
                begin(writing, pool, table, partition);
            }
        }
    }

    /** The time of a statement, which tells when a thread begins to write. */
    private static final class TimedWrite extends Dispatcher.RequestTime {
        private final WriteHere write;

        TimedWrite(Dispatcher.RequestTime time, WriteHere write) {
            super(time.enqueuedAtNanos(), time.startedAtNanos());
            this.write = write;
        }

        @Override
        public long computeDeadline(long verbExpiresAfterNanos) {
            write.deadlineAsked();
            return super.computeDeadline(verbExpiresAfterNanos);
        }
    }
}
