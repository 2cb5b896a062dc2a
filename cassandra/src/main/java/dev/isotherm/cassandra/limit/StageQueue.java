// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.OwnTasks;
import dev.isotherm.common.RunningClock;
import dev.isotherm.share.QueueProbe;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.Stage;

/** How busy the threads of a stage are, and how long its operations wait for one. One thread uses it. */
final class StageQueue {
    private final Stage stage;
    private final RunningClock clock;
    private final QueueProbe probe = new QueueProbe();
    private long busySum;
    private int samples;

    /** @param clock the clock of all instants */
    StageQueue(Stage stage, RunningClock clock) {
        this.stage = stage;
        this.clock = clock;
    }

    /** Measures once: an empty queue is no wait, and in another one a task of no work waits like an operation. */
    void measure(long nowNanos) {
        ExecutorPlus executor = stage.executor();
        busySum += executor.getActiveTaskCount();
        samples++;
        if (executor.getPendingTaskCount() <= 0) {
            probe.nothingWaits();
        } else if (probe.send(nowNanos)) {
            executor.execute(() -> {
                probe.ran(nowNanos, clock.running(System.nanoTime()));
                OwnTasks.ran(stage);
            });
        }
    }

    /** The least wait since the last call, in nanoseconds. */
    long leastWait(long nowNanos) {
        return probe.leastWait(nowNanos);
    }

    /** The time for which operations have waited without a moment at which none did. */
    long standsNanos() {
        return probe.standsNanos();
    }

    /** The threads that were busy when it was measured since the last call, on average; 0 if it was not. */
    double busyThreads() {
        double mean = samples == 0 ? 0 : (double) busySum / samples;
        busySum = 0;
        samples = 0;
        return mean;
    }

    /** All threads of the stage. */
    int threads() {
        return stage.executor().getMaximumPoolSize();
    }
}
