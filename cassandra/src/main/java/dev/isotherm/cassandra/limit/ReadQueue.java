// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.share.QueueProbe;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.Stage;

/** How busy the threads are that serve this node's reads, and how long reads wait for one. One thread uses it. */
final class ReadQueue {
    private final QueueProbe probe = new QueueProbe();
    private long busySum;
    private int samples;

    /** Measures once: an empty queue is no wait, and in another one a task of no work waits like a read. */
    void measure(long nowNanos) {
        ExecutorPlus stage = Stage.READ.executor();
        busySum += stage.getActiveTaskCount();
        samples++;
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

    /** The threads that were busy when it was measured since the last call, on average; 0 if it was not. */
    double busyThreads() {
        double mean = samples == 0 ? 0 : (double) busySum / samples;
        busySum = 0;
        samples = 0;
        return mean;
    }

    /** The threads that serve reads. */
    int threads() {
        return Stage.READ.executor().getMaximumPoolSize();
    }
}
