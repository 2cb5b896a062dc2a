// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.ServiceTimes;
import dev.isotherm.queue.ServiceWeights;
import org.apache.cassandra.concurrent.ResizableThreadPool;

/** This node's queue for counter updates: the stage in which a leader reads, adds and applies. */
final class LocalQueue {
    private final ResizableThreadPool stage;
    private final ServiceWeights weights;
    private final ServiceTimes times;

    /** @param weights what is known of all nodes' service times; hears of this node's */
    LocalQueue(ResizableThreadPool stage, ServiceWeights weights, long nowNanos) {
        this.stage = stage;
        this.weights = weights;
        this.times = new ServiceTimes(stage.getCompletedTaskCount(), nowNanos);
    }

    /** Measures; to be called often and regularly, by one thread: about as often as an update takes, or more. */
    void sample(long nowNanos) {
        // The stage's counters are read one after the other while others change them.
        times.sample(Math.max(0, stage.getActiveTaskCount()), stage.getCompletedTaskCount(), nowNanos);
        weights.told(serviceNanos(), nowNanos);
    }

    /** Updates that wait or are being served. */
    int depth() {
        return QueueDepth.ofCount((long) stage.getPendingTaskCount() + stage.getActiveTaskCount());
    }

    /** The mean time one update takes; 0 when that is not known, which an idle node is given an update to change. */
    long serviceNanos() {
        return times.nanos(depth() == 0);
    }

    /** The depth that would take the fastest node as long. */
    int weighedDepth(long nowNanos) {
        return weights.weighed(depth(), serviceNanos(), nowNanos);
    }

    /** The depth as other nodes are told it. */
    byte[] encoded() {
        return QueueDepth.encode(depth(), serviceNanos());
    }
}
