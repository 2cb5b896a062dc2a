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
    /** A node that leads nothing because it was slow is given an update again after so long, to see how long it takes. */
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** So little that the first served update outweighs it. */
    private static final double PRIOR_UPDATES = 1e-3;

    private final ResizableThreadPool stage;
    private final ServiceWeights weights;
    private final DecayedRatio serviceNanos;
    private long sampledNanos;
    private long servedBefore;
    private long lastServedNanos;
    /** Whether so long ago that how long it took says nothing of now. */
    private volatile boolean forgotten;
    /** On updates since one was served last. */
    private double spentNanos;
    /** How long each update that is being served has taken so far, where none was served since. */
    private volatile long unfinishedNanos;

    /** @param weights what is known of all nodes' service times; hears of this node's */
    public LocalQueue(ResizableThreadPool stage, ServiceWeights weights, long nowNanos) {
        this.stage = stage;
        this.weights = weights;
        this.serviceNanos = new DecayedRatio(TIME_CONSTANT_NANOS, 0, PRIOR_UPDATES, nowNanos);
        this.sampledNanos = nowNanos;
        this.lastServedNanos = nowNanos;
        this.servedBefore = stage.getCompletedTaskCount();
    }

    /** Measures; to be called often and regularly, by one thread. */
    public void sample(long nowNanos) {
        long served = stage.getCompletedTaskCount();
        int active = stage.getActiveTaskCount();
        spentNanos += (double) active * (nowNanos - sampledNanos);
        if (served > servedBefore) {
            serviceNanos.add(spentNanos, served - servedBefore, nowNanos);
            spentNanos = 0;
            lastServedNanos = nowNanos;
        }
        forgotten = nowNanos - lastServedNanos >= FORGOTTEN_NANOS;
        unfinishedNanos = active == 0 ? 0 : (long) (spentNanos / active);
        servedBefore = served;
        sampledNanos = nowNanos;
        weights.told(serviceNanos(), nowNanos);
    }

    /** Updates that wait or are being served. */
    public int depth() {
        return QueueDepth.ofCount((long) stage.getPendingTaskCount() + stage.getActiveTaskCount());
    }

    /**
     * The mean time one update takes; 0 when none was served lately. An idle node is given one update to find out, and
     * no second one before.
     */
    public long serviceNanos() {
        return forgotten && depth() == 0 ? 0 : Math.max((long) serviceNanos.value(), unfinishedNanos);
    }

    /** The depth that would take the fastest node as long. */
    public int weighedDepth() {
        return weights.weighed(depth(), serviceNanos(), System.nanoTime());
    }

    /** The depth as other nodes are told it. */
    public byte[] encoded() {
        return QueueDepth.encode(depth(), serviceNanos());
    }
}
