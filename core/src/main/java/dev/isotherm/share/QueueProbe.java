// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a request waits for a thread at least, from look to look: measured with a task of no work that waits in the
 * same queue, one at a time. One thread sends and looks; the task runs on any.
 */
public final class QueueProbe {
    /*
     * The least wait of an interval tells a standing queue from a burst that drains by itself (Nichols and Jacobson,
     * "Controlling queue delay", CACM 2012; RFC 8289): a burst leaves an instant at which nothing waited.
     */
    private static final long NONE = Long.MIN_VALUE;
    private static final long NOTHING_KNOWN = Long.MAX_VALUE;

    private final AtomicLong sentNanos = new AtomicLong(NONE);
    private final AtomicLong least = new AtomicLong(NOTHING_KNOWN);
    // For the thread that sends.
    private long waitingSinceNanos = NONE;
    private long foundNanos = NONE;
    /** The instant at which a task last ran that had hardly waited. */
    private volatile long shortNanos = NONE;

    /** Whether a task is to be put into the queue now; it then calls {@link #ran} with this instant. */
    public boolean send(long nowNanos) {
        // Who was held up so long has not seen whether the queue was empty meanwhile.
        boolean isNew = waitingSinceNanos == NONE || nowNanos - foundNanos > FairShare.INTERVAL_NANOS;
        waitingSinceNanos = isNew ? nowNanos : waitingSinceNanos;
        foundNanos = nowNanos;
        return sentNanos.compareAndSet(NONE, nowNanos);
    }

    /** A thread has begun the task that was sent at this instant. */
    public void ran(long sent, long nowNanos) {
        if (sentNanos.get() != sent) {
            return;
        }
        // Noted first: a look that finds no task finds how long the last one has waited.
        waited(nowNanos - sent);
        if (nowNanos - sent <= FairShare.TARGET_NANOS) {
            shortNanos = nowNanos;
        }
        sentNanos.compareAndSet(sent, NONE);
    }

    /** The queue is empty. A task that was sent and has not run is lost. */
    public void nothingWaits() {
        waitingSinceNanos = NONE;
        sentNanos.set(NONE);
        waited(0);
    }

    private void waited(long nanos) {
        long known = least.get();
        while (nanos < known && !least.compareAndSet(known, nanos)) {
            known = least.get();
        }
    }

    /**
     * For how long the queue has not been found empty and no task has run at once, as of the last time that it was
     * looked at; 0 if it was empty then.
     */
    public long standsNanos() {
        if (waitingSinceNanos == NONE) {
            return 0;
        }
        long shortWait = shortNanos;
        boolean isLater = shortWait != NONE && shortWait - waitingSinceNanos > 0;
        return Math.max(0, foundNanos - (isLater ? shortWait : waitingSinceNanos));
    }

    /**
     * The least wait since the last call, in nanoseconds; if no task has run since, how long the present one has waited
     * so far, and 0 if there is none.
     */
    public long leastWait(long nowNanos) {
        // Read first: a task that runs meanwhile has waited until now, or for as long as it has noted.
        long sent = sentNanos.get();
        long known = least.getAndSet(NOTHING_KNOWN);
        if (known != NOTHING_KNOWN) {
            return Math.max(0, known);
        }
        return sent == NONE ? 0 : Math.max(0, nowNanos - sent);
    }
}
