// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.share.FairShare;
import dev.isotherm.share.ThreadHold;
import java.util.Arrays;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.concurrent.ResizableThreadPool;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.db.ReadCommandVerbHandler;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.transport.Dispatcher;

/**
 * The time that threads of this node spend on each partition's reads.
 *
 * <p>A read for another coordinator lies between its message's arrival at the sinks and its response's departure, both
 * on the thread that serves it. One that times out gets no response: it lasts until its message has expired, or until
 * the thread begins something else, whichever is earlier. A read for this coordinator begins when its thread asks for
 * the deadline, and ends with the latency that Cassandra reports of it on the same thread, be it the statement's or one
 * of the read stage.
 *
 * <p>A read that lasts longer than the interval between two looks at the shares is told of before it ends.
 */
final class ReadTimes {
    /*
     * How far the beginnings of one statement, computed from two readings of the clock, may lie apart: the thread may
     * have been held up between the two. A statement of another kind that the thread serves in so short a time after a
     * read that failed counts for the latter's partition.
     */
    private static final long SAME_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The classes by whose code a thread serves a read, of this node and of another one. */
    private static final Set<String> SERVING =
            Set.of(StorageProxy.LocalReadRunnable.class.getName(), ReadCommandVerbHandler.class.getName());
    /** Most threads whose stacks are looked at by one look at the shares; the others are at the next. */
    private static final int MOST_STACKS = 16;
    /** Time between two looks at a read's thread: a read may end without a word, by an exception. */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final FairPool reads;
    private final Failures failures;
    private final ThreadLocal<Reading> readings = ThreadLocal.withInitial(this::reading);
    /** The readings of all threads that have served a read and are alive. */
    private final Queue<Reading> all = new ConcurrentLinkedQueue<>();

    private final LongAdder cutEnded = new LongAdder();
    private final LongAdder cutNanos = new LongAdder();
    /** The threads whose stacks this look may still look at; for the thread that looks. */
    private int stacks;

    /** The read that a thread serves. */
    private static final class Reading {
        final Thread thread = Thread.currentThread();
        final ThreadHold<Object> hold = new ThreadHold<>();
        /** The instant at which its coordinator gives it up, on the clock of {@link FairPool#running}. */
        long expiresNanos;
        /** The instant at which it began, on System.nanoTime(), which goes on through pauses of the process. */
        long startedNanoTime;
        /** What counted when it began: the time of a read from before shares were switched off and on is not known. */
        Object era;

        // For the looking thread, on FairPool.running: the beginning of the read looked at, when, and what was seen.
        long lookedAtBegunNanos;
        long lookedNanos;
        boolean isReading;
    }

    ReadTimes(FairPool reads, Failures failures) {
        this.reads = reads;
        this.failures = failures;
        reads.tellOfThoseUnderWay(this::tell);
    }

    private Reading reading() {
        Reading reading = new Reading();
        all.add(reading);
        return reading;
    }

    void install(WireHandlers handlers) {
        handlers.watchLocalReads("The time of a read of this node is not counted", nanos -> {
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
        begin(table, partition, expiresNanos, readings.get());
    }

    private void begin(Object what, long partition, long expiresNanos, Reading reading) {
        long nanoTime = System.nanoTime();
        long now = reads.running(nanoTime);
        reading.startedNanoTime = nanoTime;
        reading.era = reads.era();
        reading.expiresNanos = now + Math.max(0, expiresNanos - nanoTime);
        reading.hold.begin(what, partition, now);
    }

    /**
     * The present thread has answered another coordinator.
     *
     * @param isServed whether it has read: what was rejected before tells nothing of how long reads take
     */
    void end(boolean isServed) {
        Reading reading = readings.get();
        if (!isServed) {
            reading.hold.end();
        } else if (isOfAnother(reading)) {
            finish(reading, (TableMetadata) reading.hold.what(), reads.running());
        }
    }

    /**
     * What the present thread served has ended. A read for another coordinator that is not answered yet never will be,
     * and has held the thread all the same: a partition whose reads all time out would otherwise hold nothing.
     */
    void leave() {
        Reading reading = readings.get();
        if (isOfAnother(reading)) {
            finish(reading, (TableMetadata) reading.hold.what(), until(reading, reads.running()));
        }
        reading.hold.end();
    }

    private static boolean isOfAnother(Reading reading) {
        return reading.hold.isHeld() && reading.hold.what() instanceof TableMetadata;
    }

    private void endHere(long latencyNanos) {
        Reading reading = readings.get();
        if (!reading.hold.isHeld() || !(reading.hold.what() instanceof TimedRead)) {
            return;
        }
        TimedRead read = (TimedRead) reading.hold.what();
        // Another statement's read, of a kind that is not timed.
        if (Math.abs(System.nanoTime() - latencyNanos - read.startedAtNanos()) > SAME_NANOS) {
            reading.hold.end();
            return;
        }
        finish(reading, read.table, reads.running());
    }

    private void finish(Reading reading, TableMetadata table, long now) {
        long told = reading.hold.end();
        if (reading.era != reads.era()) {
            return;
        }
        reads.ended(table, reading.hold.partition(), now - told, now - reading.hold.begun());
        if (reads.mayCut(table, reading.hold.partition())) {
            cutEnded.increment();
            // As Cassandra counts it: with the pauses of the process.
            cutNanos.add(System.nanoTime() - reading.startedNanoTime);
        }
    }

    /** Reads of partitions about which shares decide that threads of the stage serve, and somebody still waits for. */
    int cutUnderWay() {
        if (!reads.isEnforced() || !Boolean.TRUE.equals(reads.isSaturated())) {
            return 0;
        }
        long now = reads.running();
        int found = 0;
        for (Reading reading : all) {
            boolean isCut = reading.hold.isHeldBy((what, partition) -> !mayWait(what, reading.thread)
                    && !hasFailed(what)
                    && now - reading.expiresNanos < 0
                    && mayCut(what, partition));
            found += isCut ? 1 : 0;
        }
        return found;
    }

    private boolean mayCut(Object what, long partition) {
        return reads.mayCut(tableOf(what), partition);
    }

    /** Those of them that have ended. */
    long cutEnded() {
        return cutEnded.sum();
    }

    /** The time that these took. */
    long cutNanos() {
        return cutNanos.sum();
    }

    private static TableMetadata tableOf(Object what) {
        return what instanceof TimedRead ? ((TimedRead) what).table : (TableMetadata) what;
    }

    /** A statement's thread waits for others' answers too; of a read that fails there, nobody tells the end here. */
    private static boolean mayWait(Object what, Thread thread) {
        return what instanceof TimedRead
                && (((TimedRead) what).statementThread == thread || ((TimedRead) what).hasFailedElsewhere());
    }

    /** Tells of the reads that last; for the thread that looks. */
    private void tell(long now) {
        all.removeIf(reading -> !reading.thread.isAlive());
        ResizableThreadPool stage = Stage.READ.executor();
        // Nobody can hold too much of threads of which most are idle, but for those that a cut has left idle.
        if (2 * stage.getActiveTaskCount() >= stage.getMaximumPoolSize() || Boolean.TRUE.equals(reads.isSaturated())) {
            stacks = MOST_STACKS;
            all.forEach(reading -> tell(reading, now));
        }
    }

    private void tell(Reading reading, long now) {
        long until = until(reading, now);
        reading.hold.tell(until, new Lasting(reading, until));
    }

    /** A read that nobody waits for any more has ended, perhaps without an answer. */
    private static long until(Reading reading, long now) {
        return now - reading.expiresNanos > 0 ? reading.expiresNanos : now;
    }

    /** A read that lasts, as of an instant. */
    private final class Lasting implements ThreadHold.Listener<Object> {
        private final Reading reading;
        private final long now;

        Lasting(Reading reading, long now) {
            this.reading = reading;
            this.now = now;
        }

        @Override
        public boolean isWanted(Object what, long begunNanos) {
            if (now - begunNanos < FairShare.INTERVAL_NANOS || reading.era != reads.era() || hasFailed(what)) {
                return false;
            }
            boolean isNew = reading.lookedAtBegunNanos != begunNanos;
            boolean isDue = isNew
                    ? mayWait(what, reading.thread)
                    : reading.isReading && now - reading.lookedNanos > LOOK_AGAIN_NANOS;
            if (isDue && stacks == 0) {
                return !isNew && reading.isReading;
            }
            if (isNew || isDue) {
                reading.lookedAtBegunNanos = begunNanos;
                reading.lookedNanos = now;
                reading.isReading = !isDue || isServing();
            }
            return reading.isReading;
        }

        private boolean isServing() {
            stacks--;
            return Arrays.stream(reading.thread.getStackTrace())
                    .anyMatch(frame -> SERVING.contains(frame.getClassName()));
        }

        @Override
        public void holds(Object what, long partition, long nanos, long lasted) {
            reads.holds(tableOf(what), partition, nanos, lasted);
        }
    }

    /** The present statement has failed, which was executed with this time. */
    void statementFails(Dispatcher.RequestTime time) {
        leave();
        if (time instanceof TimedRead) {
            ((TimedRead) time).statementFails();
        }
    }

    private static boolean hasFailed(Object what) {
        return what instanceof TimedRead && ((TimedRead) what).hasFailed;
    }

    /**
     * The time to execute a read with, so that its thread is known when it begins.
     *
     * @param isCut whether shares decide about the partition at the instant of the call
     */
    Dispatcher.RequestTime timed(
            Dispatcher.RequestTime time, TableMetadata table, long partition, BooleanSupplier isCut) {
        return new TimedRead(time, table, partition, isCut);
    }

    /**
     * Notes the thread that asks for the deadline: a local read does so when a thread begins to serve it. Counts what
     * that thread has not told of when the statement fails.
     */
    private final class TimedRead extends LateRetryTime implements ThreadHold.Listener<Object> {
        private final long partition;
        /** The other thread that has begun to serve the read; null if none has. */
        private volatile Reading servedBy;
        /** Whether its statement has: what its thread does since is not known. */
        private volatile boolean hasFailed;

        TimedRead(Dispatcher.RequestTime time, TableMetadata table, long partition, BooleanSupplier isCut) {
            super(time, table, isCut, failures);
            this.partition = partition;
        }

        @Override
        public long computeDeadline(long verbExpiresAfterNanos) {
            long deadline = super.computeDeadline(verbExpiresAfterNanos);
            try {
                beginsHere(deadline);
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failures.record("The time of a read of this node is not counted", e);
            }
            return deadline;
        }

        @Override
        public boolean isWanted(Object what, long begunNanos) {
            return what == this && servedBy.era == reads.era();
        }

        @Override
        public void holds(Object what, long partitionHeld, long nanos, long lasted) {
            reads.ended(table, partitionHeld, nanos, lasted);
        }

        private void beginsHere(long deadline) {
            Reading reading = readings.get();
            begin(this, partition, deadline, reading);
            servedBy = reading.thread == statementThread ? servedBy : reading;
        }

        /** Tells the read's time up to now: of one that has thrown, its thread says nothing. */
        void statementFails() {
            Reading reading = servedBy;
            if (reading != null) {
                reading.hold.tell(reads.running(), this);
                hasFailed = true;
            }
        }
    }
}
