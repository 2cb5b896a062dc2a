// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;
import dev.isotherm.common.DecayedRatio;
import dev.isotherm.common.SamplePauses;
import java.util.concurrent.TimeUnit;

/**
 * The mean time in which a node serves one message, derived from the number being served and the number served so far.
 *
 * <p>One thread samples; any thread may read {@link #nanos(boolean)}.
 */
public final class ServiceTimes {
    /*
     * Little's law (Little, "A proof for the queuing formula L = lambda W", Operations Research 9, 1961): the number of
     * messages being served, divided by the messages served a second, is the mean service time.
     *
     * A node that is known to be slow leads no update, so that no measurement shows its recovery. After a time of
     * patience an idle node's service time is therefore forgotten, and the node gets one message as a test; it gets no
     * second message before the first is done. If the message takes about as long as before, the patience doubles. A
     * stall that is over costs a node one second.
     */
    private static final long TIME_CONSTANT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LEAST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(16);
    /** After this many messages in a row a node counts as leading again, with the least patience. */
    private static final long ENOUGH_MESSAGES = 16;
    /**
     * The prior counts as one message: of no time, as a single message that was seen being served may have been seen by
     * chance, or of the time before where the test message says that the node is still slow.
     */
    private static final double PRIOR_MESSAGES = 1;
    /** Samples are further apart than this only where the process stood still, in which it served nothing. */
    private static final long LONGEST_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SamplePauses pauses = new SamplePauses();
    private volatile DecayedRatio served;
    private long sampledNanos;
    private long servedBefore;
    /** The sum of the times spent on messages since the last message was served. */
    private double spentNanos;
    /** The least time that each message being served has taken so far, when no message was served since; else 0. */
    private volatile long unfinishedNanos;

    private long lastServedNanos;
    private long servedSinceForgotten;
    private long patienceNanos = LEAST_PATIENCE_NANOS;
    /** Whether the measured times are too old to describe the present. */
    private volatile boolean forgotten;

    /** @param servedSoFar messages served before now, whose service times are unknown */
    public ServiceTimes(long servedSoFar, long nowNanos) {
        this.served = beside(0, nowNanos);
        this.sampledNanos = nowNanos;
        this.lastServedNanos = nowNanos;
        this.servedBefore = servedSoFar;
    }

    private static DecayedRatio beside(double priorNanos, long nowNanos) {
        return new DecayedRatio(TIME_CONSTANT_NANOS, priorNanos, PRIOR_MESSAGES, nowNanos);
    }

    /**
     * Takes a sample. Call it regularly, at intervals of about one service time or less. Of a longer interval 100 ms
     * count: the process stood still. What is served across a {@linkplain SamplePauses pause} does not say how long it
     * took.
     *
     * @param active messages being served now, 0 or above
     * @param served messages served since the node started
     * @throws IllegalArgumentException when {@code active} is below 0
     */
    public void sample(int active, long served, long nowNanos) {
        if (active < 0) {
            throw Allowed.refusal("active", active, "0 or above");
        }
        if (pauses.endsPause(nowNanos)) {
            lastServedNanos = served > servedBefore ? nowNanos : lastServedNanos;
            unfinishedNanos = 0;
            spentNanos = 0;
        } else {
            measure(active, served, nowNanos);
        }
        servedBefore = served;
        sampledNanos = nowNanos;
    }

    private void measure(int active, long served, long nowNanos) {
        // The messages being served now may have begun just now.
        unfinishedNanos = active == 0 || served > servedBefore ? 0 : (long) (spentNanos / active);
        spentNanos += (double) active * Math.min(LONGEST_INTERVAL_NANOS, nowNanos - sampledNanos);
        if (served > servedBefore) {
            add(served - servedBefore, nowNanos);
        }
        forgotten = nowNanos - lastServedNanos >= patienceNanos;
    }

    private void add(long messages, long nowNanos) {
        double before = served.value();
        boolean shows = forgotten;
        // Beside a prior of no time one message has half of its own: a node that is still slow would seem half as slow.
        boolean isSlowStill = spentNanos / messages > before / 2;
        if (shows) {
            served = beside(isSlowStill ? before : 0, nowNanos);
            servedSinceForgotten = 0;
        }
        served.add(spentNanos, messages, nowNanos);
        servedSinceForgotten += messages;
        if (shows && isSlowStill) {
            patienceNanos = Math.min(2 * patienceNanos, MOST_PATIENCE_NANOS);
        } else if (shows || servedSinceForgotten >= ENOUGH_MESSAGES) {
            patienceNanos = LEAST_PATIENCE_NANOS;
        }
        spentNanos = 0;
        lastServedNanos = nowNanos;
    }

    /**
     * The mean time in which one message is served.
     *
     * @param idle whether no message waits or is served now
     * @return nanoseconds; 0 while the time is unknown: an idle node then gets one message as a test
     */
    public long nanos(boolean idle) {
        return forgotten && idle ? 0 : Math.max((long) served.value(), unfinishedNanos);
    }
}
