// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import java.util.concurrent.TimeUnit;

import dev.isotherm.heat.DecayedRatio;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.ServiceWeights;
import org.apache.cassandra.concurrent.ResizableThreadPool;

/**
 * This node's queue for counter updates: the stage in which a leader reads, adds and applies.
 *
 * <p>Its mean service time comes from Little's law: updates being served, over updates served a second.
 */
public final class LocalQueue {
    private static final long TIME_CONSTANT_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** One that took no time: an update still being served then counts for as long as it has been, not for more. */
    private static final double PRIOR_UPDATES = 1;

    private final ResizableThreadPool stage;
    private final ServiceWeights weights;
    private final DecayedRatio serviceNanos;
    private long sampledNanos;
    private long servedBefore;

    /** @param weights what is known of all nodes' service times; hears of this node's */
    public LocalQueue(ResizableThreadPool stage, ServiceWeights weights, long nowNanos) {
        this.stage = stage;
        this.weights = weights;
        this.serviceNanos = new DecayedRatio(TIME_CONSTANT_NANOS, 0, PRIOR_UPDATES, nowNanos);
        this.sampledNanos = nowNanos;
        this.servedBefore = stage.getCompletedTaskCount();
    }

    /** Measures; to be called often and regularly, by one thread. */
    public void sample(long nowNanos) {
        long served = stage.getCompletedTaskCount();
        long elapsed = nowNanos - sampledNanos;
        int active = stage.getActiveTaskCount();
        if (active > 0 || served > servedBefore) {
            serviceNanos.add((double) active * elapsed, served - servedBefore, nowNanos);
            weights.told(serviceNanos(), nowNanos);
        }
        servedBefore = served;
        sampledNanos = nowNanos;
    }

    /** Updates that wait or are being served. */
    public int depth() {
        return QueueDepth.ofCount((long) stage.getPendingTaskCount() + stage.getActiveTaskCount());
    }

    /** The mean time one update takes; 0 when none was served. */
    public long serviceNanos() {
        return (long) serviceNanos.value();
    }

    /** The depth, as long as it would be on the fastest node. */
    public int weighedDepth() {
        return weights.weighed(depth(), serviceNanos(), System.nanoTime());
    }

    /** The depth as other nodes are told it. */
    public byte[] encoded() {
        return QueueDepth.encode(depth(), serviceNanos());
    }
}
