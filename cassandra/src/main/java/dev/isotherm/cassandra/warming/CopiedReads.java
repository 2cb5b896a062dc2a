// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import dev.isotherm.cassandra.runtime.DiskWaits;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.UnansweredRead;
import dev.isotherm.warming.CopyPlaces;
import dev.isotherm.warming.CopyQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.schema.TableId;

/**
 * Serves the copies of reads that a cold node has asked for, on Cassandra's read stage, and drops the answers. A copy
 * begins only while the node serves fewer reads than its disk serves side by side; one that has waited longer than a
 * read may take is dropped itself.
 * It is no request of a client: it counts for no limit, and no metric of clients counts it.
 */
final class CopiedReads {
    /** Most copies that wait: about as many as arrive while one that misses is served. */
    private static final int MOST_WAITING = 64;

    private static final String WHEN_IT_FAILS = "A copy of a read that warms this node failed";

    private final CopyQueue<Copy> queue;
    private final CopyPlaces places;
    private final DiskWaits waits;
    private final Failures failures;
    private final LongAdder served = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile Set<TableId> tables = Set.of();

    /** @param concurrentReads how many copies are served at a time, at most */
    CopiedReads(int concurrentReads, DiskWaits waits, Failures failures) {
        this.queue = new CopyQueue<>(concurrentReads, MOST_WAITING);
        this.places = new CopyPlaces(concurrentReads);
        this.waits = waits;
        this.failures = failures;
    }

    /** Sets how many copies are served at a time from now on, at most. */
    void serveAtMost(int concurrentReads) {
        queue.serveAtMost(concurrentReads);
        places.limitTo(concurrentReads);
    }

    /** A copy, and when it arrived. */
    private static final class Copy {
        final SinglePartitionReadCommand read;
        final long arrivedNanos = System.nanoTime();
        /** The reads that the node serves when it begins, itself included. */
        int underWay;

        Copy(SinglePartitionReadCommand read) {
            this.read = read;
        }

        boolean isLate() {
            return System.nanoTime() - arrivedNanos > DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Says of which tables copies are asked for; of others none is served from now on.
     *
     * @param asked the tables; must not be modified
     */
    void ask(Set<TableId> asked) {
        tables = asked;
        if (asked.isEmpty()) {
            queue.clear();
            places.reset();
        }
    }

    /** Brings up to date how many reads may be under way with a copy, about once in a second. */
    void settle(long nowNanos) {
        places.settle(nowNanos);
    }

    /** Takes a copy, or drops it if it is not asked for or too many wait. */
    void take(SinglePartitionReadCommand read) {
        if (isWanted(read)) {
            queue.arrive(new Copy(read));
            serveWaiting();
        }
    }

    /** A copy has arrived that cannot be read here. */
    void refuse() {
        refused.increment();
    }

    /** Copies that could not be read. */
    long refused() {
        return refused.sum();
    }

    private boolean isWanted(SinglePartitionReadCommand read) {
        return tables.contains(read.metadata().id);
    }

    /** Serves what waits, if there is room now. */
    void serveWaiting() {
        serveWaiting(0);
    }

    /**
     * The present thread is about to end a read that is no copy: there may be room for one. Not where one read is
     * served at a time: with a copy behind each read of a client, the next such read would mostly find one at the disk.
     */
    void readEnds() {
        if (!tables.isEmpty() && places.limit() > 1) {
            serveWaiting(1);
        }
    }

    /** @param ending tasks that the read stage still counts and that are about to end */
    private void serveWaiting(int ending) {
        int limit = places.limit();
        int others = underWay() - ending;
        while (others < limit && serveNext(limit, others + 1)) {
            others = underWay() - ending;
        }
    }

    /** The reads that the stage has or that wait for it. */
    private static int underWay() {
        // In this order: a read that a thread takes meanwhile counts twice rather than not at all.
        int waiting = Stage.READ.executor().getPendingTaskCount();
        return waiting + Stage.READ.executor().getActiveTaskCount();
    }

    private boolean serveNext(int limit, int underWay) {
        Copy copy = queue.next(limit);
        if (copy != null) {
            copy.underWay = underWay;
            submit(copy);
        }
        return copy != null;
    }

    private void submit(Copy copy) {
        try {
            // The present thread may serve a client, whose trace and warnings would go along.
            ExecutorLocals ofClient = ExecutorLocals.current();
            ExecutorLocals.clear();
            try {
                Stage.READ.execute(() -> serve(copy));
            } finally {
                ofClient.close();
            }
        } catch (RuntimeException | LinkageError | AssertionError e) {
            queue.served();
            throw e;
        }
    }

    private void serve(Copy copy) {
        try {
            if (isWanted(copy.read) && !copy.isLate() && serveToItsEnd(copy)) {
                served.increment();
            }
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record(WHEN_IT_FAILS, e);
        } finally {
            queue.served();
            serveWaiting(1);
        }
    }

    private boolean serveToItsEnd(Copy copy) {
        long begunNanos = System.nanoTime();
        waits.begin(copy.read);
        boolean isServed = UnansweredRead.serve(copy.read, begunNanos, failures, WHEN_IT_FAILS);
        if (isServed) {
            places.ended(copy.underWay, waits.end(), System.nanoTime() - begunNanos);
        }
        return isServed;
    }

    /** Copies that were asked for and have arrived since the node started. */
    long arrived() {
        return queue.arrived();
    }

    /** Those of them that were dropped, because enough waited. */
    long dropped() {
        return queue.dropped();
    }

    /** Those of them that were served. */
    long served() {
        return served.sum();
    }
}
