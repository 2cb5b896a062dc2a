// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.LocalReads;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.Dispatcher;

/**
 * The time that threads of this node spend on each partition's reads.
 *
 * <p>A read for another coordinator lies between its message's arrival at the sinks and its response's departure, both
 * on the thread that serves it. One that times out gets no response: it lasts until its message has expired, or until
 * the thread begins something else, whichever is earlier. A read for this coordinator begins when its thread asks for
 * the deadline, and ends with the latency that Cassandra reports of it on the same thread, be it the statement's or one
 * of the read stage.
 */
final class ReadTimes {
    /*
     * How far the beginnings of one statement, computed from two readings of the clock, may lie apart: the thread may
     * have been held up between the two. A statement of another kind that the thread serves in so short a time after a
     * read that failed counts for the latter's partition.
     */
    private static final long SAME_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final FairPool reads;
    private final InetAddressAndPort self;
    private final Failures failures;
    private final ThreadLocal<Reading> readings = ThreadLocal.withInitial(Reading::new);

    /** The read that a thread serves. */
    private static final class Reading {
        TableMetadata table;
        long partition;
        long begunNanos;
        /** When another coordinator no longer waits for it; of no meaning for local reads. */
        long expiresNanos;
        /** When the statement of a local read began; of no meaning for others. */
        long statementNanos;

        boolean here;
    }

    ReadTimes(FairPool reads, InetAddressAndPort self, Failures failures) {
        this.reads = reads;
        this.self = self;
        this.failures = failures;
    }

    /** Starts to hear of local reads. */
    void start() {
        LocalReads.watch(self, failures, "The time of a read of this node is not counted", nanos -> {
            if (reads.isOn()) {
                endHere(nanos);
            }
        });
    }

    /**
     * The present thread begins to serve a read for another coordinator.
     *
     * @param expiresNanos when that coordinator no longer waits for it, on System.nanoTime()
     */
    void begin(TableMetadata table, long partition, long expiresNanos) {
        Reading reading = readings.get();
        reading.table = table;
        reading.partition = partition;
        reading.here = false;
        reading.expiresNanos = expiresNanos;
        reading.begunNanos = System.nanoTime();
    }

    /** The present thread has answered another coordinator. */
    void end() {
        Reading reading = readings.get();
        if (reading.table != null && !reading.here) {
            finish(reading, System.nanoTime());
        }
    }

    /**
     * What the present thread served has ended. A read for another coordinator that is not answered yet never will be,
     * and has held the thread all the same: a partition whose reads all time out would otherwise hold nothing.
     */
    void leave() {
        Reading reading = readings.get();
        if (reading.table != null && !reading.here) {
            long now = System.nanoTime();
            finish(reading, now - reading.expiresNanos > 0 ? reading.expiresNanos : now);
        }
        reading.table = null;
    }

    private void endHere(long latencyNanos) {
        Reading reading = readings.get();
        if (reading.table == null || !reading.here) {
            return;
        }
        long now = System.nanoTime();
        // Another statement's read, of a kind that is not timed.
        if (Math.abs(now - latencyNanos - reading.statementNanos) > SAME_NANOS) {
            reading.table = null;
            return;
        }
        finish(reading, now);
    }

    private void finish(Reading reading, long now) {
        TableMetadata table = reading.table;
        reading.table = null;
        reads.served(table, reading.partition, now - reads.countsFrom(reading.begunNanos));
    }

    /** The time to execute a read with, so that its thread is known when it begins. */
    Dispatcher.RequestTime timed(Dispatcher.RequestTime time, TableMetadata table, long partition) {
        return new TimedRead(time, table, partition);
    }

    /** Notes the thread that asks for the deadline: a local read does so when a thread begins to serve it. */
    private final class TimedRead extends Dispatcher.RequestTime {
        private final TableMetadata table;
        private final long partition;

        TimedRead(Dispatcher.RequestTime time, TableMetadata table, long partition) {
            super(time.enqueuedAtNanos(), time.startedAtNanos());
            this.table = table;
            this.partition = partition;
        }

        @Override
        public long computeDeadline(long verbExpiresAfterNanos) {
            try {
                beginsHere();
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failures.record("The time of a read of this node is not counted", e);
            }
            return super.computeDeadline(verbExpiresAfterNanos);
        }

        private void beginsHere() {
            Reading reading = readings.get();
            reading.table = table;
            reading.partition = partition;
            reading.here = true;
            reading.statementNanos = startedAtNanos();
            reading.begunNanos = System.nanoTime();
        }
    }
}
