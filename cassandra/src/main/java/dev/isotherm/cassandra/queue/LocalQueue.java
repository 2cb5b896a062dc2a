// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.ServiceTimes;
import dev.isotherm.queue.ServiceWeights;
import java.util.function.LongSupplier;
import org.apache.cassandra.concurrent.ResizableThreadPool;

/** This node's queue for counter updates: the stage in which a leader reads, adds and applies. */
final class LocalQueue {
    private final ResizableThreadPool stage;
    private final LongSupplier ownTasks;
    private final ServiceWeights weights;
    private final ServiceTimes times;
    private long served;

    /**
     * @param ownTasks how many tasks the stage has run that were no updates, or refused ones
     * @param weights the known service times of all nodes, to which this node's are added
     */
    LocalQueue(ResizableThreadPool stage, LongSupplier ownTasks, ServiceWeights weights, long nowNanos) {
        this.stage = stage;
        this.ownTasks = ownTasks;
        this.weights = weights;
        this.served = stage.getCompletedTaskCount() - ownTasks.getAsLong();
        this.times = new ServiceTimes(served, nowNanos);
    }

    /** Takes a sample. One thread calls it regularly, at intervals of about one update's service time or less. */
    void sample(long nowNanos) {
        // The stage's counters are read one after the other, while other threads change them.
        served = Math.max(served, stage.getCompletedTaskCount() - ownTasks.getAsLong());
        times.sample(Math.max(0, stage.getActiveTaskCount()), served, nowNanos);
        weights.told(serviceNanos(), nowNanos);
    }

    /** The number of updates waiting or being served. */
    int depth() {
        return QueueDepth.ofCount((long) stage.getPendingTaskCount() + stage.getActiveTaskCount());
    }

    /** Whether the next update would be served at once. */
    boolean hasFreeThread() {
        return depth() < stage.getMaximumPoolSize();
    }

    /** The mean service time of an update; 0 while it is unknown: an idle node then gets one update as a test. */
    long serviceNanos() {
        return times.nanos(depth() == 0);
    }

    /** The weighed depth: the queue that would take as long on the fastest node. */
    int weighedDepth(long nowNanos) {
        return weights.weighed(depth(), serviceNanos(), nowNanos);
    }

    /** The depth in its wire form. */
    byte[] encoded() {
        return QueueDepth.encode(depth(), serviceNanos());
    }
}
