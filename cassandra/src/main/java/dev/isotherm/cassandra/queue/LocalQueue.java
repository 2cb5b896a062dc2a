// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.common.DecayedRatio;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.ServiceWeights;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ResizableThreadPool;

/**
 * This node's queue for counter updates: the stage in which a leader reads, adds and applies.
 *
 * <p>Its mean service time comes from Little's law: updates being served, over updates served a second.
 */
/*
 * A node that is known to be slow leads nothing, and so nothing shows that it is fast again. After some patience what is
 * known of it is forgotten while it is idle, and it is given one update to show how long it takes; no second one before
 * that has ended. Where it takes about as long as before, patience doubles. A stall that is over costs a node a second.
 */
public final class LocalQueue {
    private static final long TIME_CONSTANT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LEAST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(16);
    /** After so many updates in a row a node is one that leads, and what it was before does not count. */
    private static final long ENOUGH_UPDATES = 16;
    /** As if one update had taken no time: one alone that was seen being served may have been seen by chance. */
    private static final double PRIOR_UPDATES = 1;

    private final ResizableThreadPool stage;
    private final ServiceWeights weights;
    private volatile DecayedRatio serviceNanos;
    private long sampledNanos;
    private long servedBefore;
    /** On updates since one was served last. */
    private double spentNanos;
    /** How long, at least, each update that is being served has taken so far, where none was served since. */
    private volatile long unfinishedNanos;

    private long lastServedNanos;
    private long servedSinceForgotten;
    private long patienceNanos = LEAST_PATIENCE_NANOS;
    /** Whether how long updates took says nothing of now. */
    private volatile boolean forgotten;

    /** @param weights what is known of all nodes' service times; hears of this node's */
    public LocalQueue(ResizableThreadPool stage, ServiceWeights weights, long nowNanos) {
        this.stage = stage;
        this.weights = weights;
        this.serviceNanos = unknown(nowNanos);
        this.sampledNanos = nowNanos;
        this.lastServedNanos = nowNanos;
        this.servedBefore = stage.getCompletedTaskCount();
    }

    private static DecayedRatio unknown(long nowNanos) {
        return new DecayedRatio(TIME_CONSTANT_NANOS, 0, PRIOR_UPDATES, nowNanos);
    }

    /** Measures; to be called often and regularly, by one thread: about as often as an update takes, or more. */
    public void sample(long nowNanos) {
        long served = stage.getCompletedTaskCount();
        int active = stage.getActiveTaskCount();
        // What is being served now may have begun just now.
        unfinishedNanos = active == 0 || served > servedBefore ? 0 : (long) (spentNanos / active);
        spentNanos += (double) active * (nowNanos - sampledNanos);
        if (served > servedBefore) {
            add(served - servedBefore, nowNanos);
        }
        forgotten = nowNanos - lastServedNanos >= patienceNanos;
        servedBefore = served;
        sampledNanos = nowNanos;
        weights.told(serviceNanos(), nowNanos);
    }

    private void add(long served, long nowNanos) {
        double before = serviceNanos.value();
        boolean shows = forgotten;
        if (shows) {
            serviceNanos = unknown(nowNanos);
            servedSinceForgotten = 0;
        }
        serviceNanos.add(spentNanos, served, nowNanos);
        servedSinceForgotten += served;
        // One update counts half beside what is believed before any.
        if (shows && serviceNanos.value() > before / 4) {
            patienceNanos = Math.min(2 * patienceNanos, MOST_PATIENCE_NANOS);
        } else if (shows || servedSinceForgotten >= ENOUGH_UPDATES) {
            patienceNanos = LEAST_PATIENCE_NANOS;
        }
        spentNanos = 0;
        lastServedNanos = nowNanos;
    }

    /** Updates that wait or are being served. */
    public int depth() {
        return QueueDepth.ofCount((long) stage.getPendingTaskCount() + stage.getActiveTaskCount());
    }

    /** The mean time one update takes; 0 when that is not known, which an idle node is given an update to change. */
    public long serviceNanos() {
        return forgotten && depth() == 0 ? 0 : Math.max((long) serviceNanos.value(), unfinishedNanos);
    }

    /** The depth that would take the fastest node as long. */
    public int weighedDepth(long nowNanos) {
        return weights.weighed(depth(), serviceNanos(), nowNanos);
    }

    /** The depth as other nodes are told it. */
    public byte[] encoded() {
        return QueueDepth.encode(depth(), serviceNanos());
    }
}
