// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.guard.ReadGuard;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ResizableThreadPool;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.metrics.TableMetrics;

/** Reads the state of this node's read threads off Cassandra's own counts. */
final class ReadThreads {
    private final ReadGuard<InetAddressAndPort> guard;
    private final ResizableThreadPool stage = Stage.READ.executor();

    ReadThreads(ReadGuard<InetAddressAndPort> guard) {
        this.guard = guard;
    }

    void observe(long nowNanos) {
        // The stage's counters are read one after the other, while other threads change them.
        int tasks = Math.max(0, stage.getActiveTaskCount()) + Math.max(0, stage.getPendingTaskCount());
        guard.observeLocal(
                tasks,
                TableMetrics.GLOBAL_READ_LATENCY.latency.getCount(),
                TimeUnit.MICROSECONDS.toNanos(TableMetrics.GLOBAL_READ_LATENCY.totalLatency.getCount()),
                TimeUnit.MICROSECONDS.toNanos(TableMetrics.GLOBAL_RANGE_LATENCY.totalLatency.getCount()),
                nowNanos);
    }
}
