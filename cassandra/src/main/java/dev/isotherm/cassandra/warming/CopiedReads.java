// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.warming.CopyQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.MessageParams;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;

/**
 * Serves copies of reads on a cold node, on Cassandra's read stage and within the time of a read, and drops the
 * answers. A copy begins only while the node serves no other read. It is no request of a client: it counts for no
 * limit, and no metric of clients counts it.
 */
final class CopiedReads {
    /** So many copies wait: about as many as arrive while one that misses is served. */
    private static final int MOST_WAITING = 64;

    private final CopyQueue<SinglePartitionReadCommand> queue;
    private final Failures failures;
    private final LongAdder served = new LongAdder();

    /** @param concurrentReads how many copies are served at a time */
    CopiedReads(int concurrentReads, Failures failures) {
        this.queue = new CopyQueue<>(concurrentReads, MOST_WAITING);
        this.failures = failures;
    }

    /** Takes a copy, or drops it if too many wait. */
    void take(SinglePartitionReadCommand read) {
        queue.arrive(read);
        serveWaiting();
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
        SinglePartitionReadCommand read = queue.next();
        if (read != null) {
            submit(read);
        }
        return read != null;
    }

    private void submit(SinglePartitionReadCommand read) {
        try {
            Stage.READ.execute(() -> serve(read));
        } catch (RuntimeException e) {
            // The read stage takes nothing any more: the node is about to stop.
            queue.served();
            throw e;
        }
    }

    private void serve(SinglePartitionReadCommand read) {
        try {
            execute(read);
            served.increment();
        } catch (RuntimeException | LinkageError e) {
            failures.record("A copy of a read that warms this node failed", e);
        } finally {
            queue.served();
            serveWaiting(1);
        }
    }

    private static void execute(SinglePartitionReadCommand read) {
        read.setMonitoringTime(
                System.nanoTime(),
                false,
                DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS),
                DatabaseDescriptor.getSlowQueryTimeout(TimeUnit.NANOSECONDS));
        MessageParams.reset();
        try (ReadExecutionController controller = read.executionController();
                UnfilteredPartitionIterator partitions = read.executeLocally(controller)) {
            read.createResponse(partitions, controller.getRepairedDataInfo());
        }
    }

    /** Drops the copies that wait. */
    void clear() {
        queue.clear();
    }

    /** Copies that have arrived since the node started. */
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
