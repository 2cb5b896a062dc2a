// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.MessageParams;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.RejectException;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.utils.JVMStabilityInspector;

/** A copy of a read that this node serves as one of another coordinator, for nobody: its answer is dropped. */
public final class UnansweredRead {
    private UnansweredRead() {}

    /**
     * Serves a read on the present thread, which is one of the read stage. Never throws what a read of a client would
     * not end the node for.
     *
     * @param read a copy that nobody else executes
     * @param sinceNanos when the time began that a read may take, by System.nanoTime
     * @param consequence what a failure means, a constant sentence
     * @return whether it was served to its end
     */
    public static boolean serve(
            SinglePartitionReadCommand read, long sinceNanos, Failures failures, String consequence) {
        if (Schema.instance.getColumnFamilyStoreInstance(read.metadata().id) == null) {
            return false; // The table has been dropped.
        }
        try {
            execute(read, sinceNanos);
            // Cassandra 4.1 ends a read that took longer than it may without an exception.
            return !read.isAborted();
        } catch (RejectException e) {
            // It has more tombstones than a read may: as its original would end on this node.
        } catch (RuntimeException | LinkageError | AssertionError e) {
            // A corrupt file is no less so for being found by a copy.
            JVMStabilityInspector.inspectThrowable(e);
            if (!read.isAborted()) {
                failures.record(consequence, e);
            }
        }
        return false;
    }

    private static void execute(SinglePartitionReadCommand read, long sinceNanos) {
        read.setMonitoringTime(
                sinceNanos,
                false,
                DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS),
                DatabaseDescriptor.getSlowQueryTimeout(TimeUnit.NANOSECONDS));
        MessageParams.reset();
        try (ReadExecutionController controller = read.executionController();
                UnfilteredPartitionIterator partitions = read.executeLocally(controller)) {
            read.createResponse(partitions, controller.getRepairedDataInfo());
        }
    }
}
