// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.guard.ReadGuard;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ResizableThreadPool;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.metrics.LatencyMetrics;
import org.apache.cassandra.metrics.TableMetrics;

/** Reads the state of this node's read threads off Cassandra's own counts. */
final class ReadThreads {
    private final ReadGuard<InetAddressAndPort> guard;
    private final ResizableThreadPool stage = Stage.READ.executor();

    ReadThreads(ReadGuard<InetAddressAndPort> guard) {
        this.guard = guard;
    }

    void observe(long nowNanos) {
        long reads;
        long readNanos;
        long rangeNanos;
        try {
            reads = TableMetrics.GLOBAL_READ_LATENCY.latency.getCount();
            readNanos = nanos(TableMetrics.GLOBAL_READ_LATENCY);
            rangeNanos = nanos(TableMetrics.GLOBAL_RANGE_LATENCY);
        } catch (ConcurrentModificationException | NullPointerException tableAdded) {
            // Cassandra sums over the tables without a lock, and one is being added. The next observation is soon.
            return;
        }
        // The stage's counters are read one after the other, while other threads change them.
        int tasks = Math.max(0, stage.getActiveTaskCount()) + Math.max(0, stage.getPendingTaskCount());
        guard.observeLocal(tasks, reads, readNanos, rangeNanos, nowNanos);
    }

    private static long nanos(LatencyMetrics latency) {
        return TimeUnit.MICROSECONDS.toNanos(latency.totalLatency.getCount());
    }
}
