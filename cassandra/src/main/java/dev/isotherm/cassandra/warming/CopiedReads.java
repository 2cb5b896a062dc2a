// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.UnansweredRead;
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
 * begins only while the node serves no other read; one that has waited longer than a read may take is dropped itself.
 * It is no request of a client: it counts for no limit, and no metric of clients counts it.
 */
final class CopiedReads {
    /** So many copies wait: about as many as arrive while one that misses is served. */
    private static final int MOST_WAITING = 64;

    private final CopyQueue<Copy> queue;
    private final Failures failures;
    private final LongAdder served = new LongAdder();
    private volatile Set<TableId> tables = Set.of();

    /** @param concurrentReads how many copies are served at a time */
    CopiedReads(int concurrentReads, Failures failures) {
        this.queue = new CopyQueue<>(concurrentReads, MOST_WAITING);
        this.failures = failures;
    }

    /** A copy, and when it arrived. */
    private static final class Copy {
        final SinglePartitionReadCommand read;
        final long arrivedNanos = System.nanoTime();

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
        }
    }

    /** Takes a copy, or drops it if it is not asked for or too many wait. */
    void take(SinglePartitionReadCommand read) {
        if (isWanted(read)) {
            queue.arrive(new Copy(read));
            serveWaiting();
        }
    }

    private boolean isWanted(SinglePartitionReadCommand read) {
        return tables.contains(read.metadata().id);
    }

    /** Serves what waits, if there is room now: the end of other reads is not told. */
    void serveWaiting() {
        serveWaiting(0);
    }

    /** @param ended tasks of ended copies that the read stage still counts */
    private void serveWaiting(int ended) {
        while (hasRoom(ended) && serveNext()) {
            // As many as may at a time.
        }
    }

    /** Whether all reads that the stage has or that wait for it are copies. */
    private boolean hasRoom(int ended) {
        int copies = queue.inService() + ended;
        return Stage.READ.executor().getActiveTaskCount()
                        + Stage.READ.executor().getPendingTaskCount()
                <= copies;
    }

    private boolean serveNext() {
        Copy copy = queue.next();
        if (copy != null) {
            submit(copy);
        }
        return copy != null;
    }

    private void submit(Copy copy) {
        // The present thread may serve a client, whose trace and warnings would go along.
        ExecutorLocals ofClient = ExecutorLocals.current();
        ExecutorLocals.clear();
        try {
            Stage.READ.execute(() -> serve(copy));
        } catch (RuntimeException e) {
            queue.served();
            throw e;
        } finally {
            ofClient.close();
        }
    }

    private void serve(Copy copy) {
        try {
            if (isWanted(copy.read)
                    && !copy.isLate()
                    && UnansweredRead.serve(
                            copy.read, System.nanoTime(), failures, "A copy of a read that warms this node failed")) {
                served.increment();
            }
        } finally {
            queue.served();
            serveWaiting(1);
        }
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
