// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.warming.CopyQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.MessageParams;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.RejectException;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.exceptions.QueryCancelledException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.utils.JVMStabilityInspector;

/**
 * Serves copies of reads on a cold node, on Cassandra's read stage, and drops the answers. A copy begins only while the
 * node serves no other read; one that has waited longer than a read may take is dropped itself. It is no request of a
 * client: it counts for no limit, and no metric of clients counts it.
 */
final class CopiedReads {
    /** So many copies wait: about as many as arrive while one that misses is served. */
    private static final int MOST_WAITING = 64;

    private final CopyQueue<Copy> queue;
    private final Failures failures;
    private final LongAdder served = new LongAdder();

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

    /** Takes a copy, or drops it if too many wait. */
    void take(SinglePartitionReadCommand read) {
        queue.arrive(new Copy(read));
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
            if (!copy.isLate() && Schema.instance.getColumnFamilyStoreInstance(copy.read.metadata().id) != null) {
                execute(copy.read);
                served.increment();
            }
        } catch (QueryCancelledException | RejectException e) {
            // It took longer than a read may, or has more tombstones: as its original would end on this node.
        } catch (RuntimeException | LinkageError | AssertionError e) {
            // A corrupt file is no less so for being found by a copy.
            JVMStabilityInspector.inspectThrowable(e);
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
