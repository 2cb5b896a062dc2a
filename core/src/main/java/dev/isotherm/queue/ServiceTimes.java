// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.DecayedRatio;
import java.util.concurrent.TimeUnit;

/**
 * The mean time that one message takes a node to serve, from how many it serves now and how many it has served.
 *
 * <p>One thread samples; any may read {@link #nanos(boolean)}.
 */
public final class ServiceTimes {
    /*
     * Little's law (Little, "A proof for the queuing formula L = lambda W", Operations Research 9, 1961): messages
     * being served, over messages served a second, is the mean service time.
     *
     * A node that is known to be slow leads nothing, and so nothing shows that it is fast again. After some patience
     * what is known of it is forgotten while it is idle, and it is given one message to show how long it takes; no
     * second one before that has ended. Where it takes about as long as before, patience doubles. A stall that is over
     * costs a node a second.
     */
    private static final long TIME_CONSTANT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LEAST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(16);
    /** After so many messages in a row a node is one that leads, and what it was before does not count. */
    private static final long ENOUGH_MESSAGES = 16;
    /** As if one message had taken no time: one alone that was seen being served may have been seen by chance. */
    private static final double PRIOR_MESSAGES = 1;

    private volatile DecayedRatio served;
    private long sampledNanos;
    private long servedBefore;
    /** On messages since one was served last. */
    private double spentNanos;
    /** How long, at least, each message that is being served has taken so far, where none was served since. */
    private volatile long unfinishedNanos;

    private long lastServedNanos;
    private long servedSinceForgotten;
    private long patienceNanos = LEAST_PATIENCE_NANOS;
    /** Whether how long messages took says nothing of now. */
    private volatile boolean forgotten;

    /** @param servedSoFar messages served before now, which say nothing of how long they took */
    public ServiceTimes(long servedSoFar, long nowNanos) {
        this.served = unknown(nowNanos);
        this.sampledNanos = nowNanos;
        this.lastServedNanos = nowNanos;
        this.servedBefore = servedSoFar;
    }

    private static DecayedRatio unknown(long nowNanos) {
        return new DecayedRatio(TIME_CONSTANT_NANOS, 0, PRIOR_MESSAGES, nowNanos);
    }

    /**
     * Measures; to be called often and regularly: about as often as a message takes, or more.
     *
     * @param active messages being served now, 0 or above
     * @param served messages served since the node started
     * @throws IllegalArgumentException when {@code active} is below 0
     */
    public void sample(int active, long served, long nowNanos) {
        if (active < 0) {
            throw Allowed.refusal("active", active, "0 or above");
        }
        // What is being served now may have begun just now.
        unfinishedNanos = active == 0 || served > servedBefore ? 0 : (long) (spentNanos / active);
        spentNanos += (double) active * (nowNanos - sampledNanos);
        if (served > servedBefore) {
            add(served - servedBefore, nowNanos);
        }
        forgotten = nowNanos - lastServedNanos >= patienceNanos;
        servedBefore = served;
        sampledNanos = nowNanos;
    }

    private void add(long messages, long nowNanos) {
        double before = served.value();
        boolean shows = forgotten;
        if (shows) {
            served = unknown(nowNanos);
            servedSinceForgotten = 0;
        }
        served.add(spentNanos, messages, nowNanos);
        servedSinceForgotten += messages;
        // One message counts half beside what is believed before any.
        if (shows && served.value() > before / 4) {
            patienceNanos = Math.min(2 * patienceNanos, MOST_PATIENCE_NANOS);
        } else if (shows || servedSinceForgotten >= ENOUGH_MESSAGES) {
            patienceNanos = LEAST_PATIENCE_NANOS;
        }
        spentNanos = 0;
        lastServedNanos = nowNanos;
    }

    /**
     * The mean time one message takes.
     *
     * @param idle whether no message waits or is served now
     * @return nanoseconds; 0 when that is not known, which an idle node is given a message to change
     */
    public long nanos(boolean idle) {
        return forgotten && idle ? 0 : Math.max((long) served.value(), unfinishedNanos);
    }
}
