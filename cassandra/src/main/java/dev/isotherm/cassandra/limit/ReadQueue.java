// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.share.QueueProbe;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.Stage;

/** How long reads of this node wait for one of the threads that serve them. One thread uses it. */
final class ReadQueue {
    private final QueueProbe probe = new QueueProbe();

    /** Measures once: an empty queue is no wait, and in another one a task of no work waits like a read. */
    void measure(long nowNanos) {
        ExecutorPlus stage = Stage.READ.executor();
        if (stage.getPendingTaskCount() <= 0) {
            probe.nothingWaits();
        } else if (probe.send(nowNanos)) {
            stage.execute(() -> probe.ran(nowNanos, System.nanoTime()));
        }
    }

    /** The least wait since the last call, in nanoseconds. */
    long leastWait(long nowNanos) {
        return probe.leastWait(nowNanos);
    }

    /** The threads that serve reads. */
    int threads() {
        return Stage.READ.executor().getMaximumPoolSize();
    }
}
