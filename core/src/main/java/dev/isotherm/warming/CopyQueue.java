// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import dev.isotherm.common.Allowed;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The copies that wait at a cold node, of which few are served at a time; what does not fit is dropped. Thread safe.
 *
 * <p>A read of a client so finds at most those few in front of it at the disk, however many copies arrive.
 *
 * @param <R> the copies
 */
public final class CopyQueue<R> {
    private volatile int mostInService;
    private final int mostWaiting;
    // Asked at the ends of clients' reads too, hence without a lock.
    private final Queue<R> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final AtomicInteger inService = new AtomicInteger();
    private final LongAdder arrived = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /**
     * @param mostInService how many copies are served at a time, 1 or above
     * @param mostWaiting how many wait, 1 or above
     */
    public CopyQueue(int mostInService, int mostWaiting) {
        serveAtMost(mostInService);
        if (mostWaiting < 1) {
            throw Allowed.refusal("mostWaiting", mostWaiting, "1 or above");
        }
        this.mostWaiting = mostWaiting;
    }

    /** Sets how many copies are served at a time from now on, 1 or above; those in service end as they are. */
    public final void serveAtMost(int most) {
        if (most < 1) {
            throw Allowed.refusal("mostInService", most, "1 or above");
        }
        mostInService = most;
    }

    /** Takes a copy that has arrived, or drops it. The caller then serves what {@link #next} gives, if anything. */
    public void arrive(R copy) {
        arrived.increment();
        if (waitingCount.incrementAndGet() > mostWaiting) {
            waitingCount.decrementAndGet();
            dropped.increment();
        } else {
            waiting.add(copy);
        }
    }

    /**
     * The next copy to serve, or null if none waits or as many as may are in service. Whoever gets one calls
     * {@link #served} when it has ended, in whichever way, and then this method again.
     */
    public R next() {
        return next(mostInService);
    }

    /**
     * The same where fewer may be in service for now.
     *
     * @param most how many, the one given included
     */
    public R next(int most) {
        // A copy that arrives between a vain poll and the end of the claim would otherwise be left to the next arrival.
        while (!waiting.isEmpty()) {
            if (!claim(Math.min(most, mostInService))) {
                return null;
            }
            R copy = poll();
            if (copy != null) {
                return copy;
            }
            inService.decrementAndGet();
        }
        return null;
    }

    private R poll() {
        R copy = waiting.poll();
        if (copy != null) {
            waitingCount.decrementAndGet();
        }
        return copy;
    }

    private boolean claim(int most) {
        int now = inService.get();
        while (now < most) {
            if (inService.compareAndSet(now, now + 1)) {
                return true;
            }
            now = inService.get();
        }
        return false;
    }

    /** A copy from {@link #next} has ended. */
    public void served() {
        inService.decrementAndGet();
    }

    /** Copies in service now. */
    public int inService() {
        return inService.get();
    }

    /** Drops what waits. */
    public void clear() {
        R copy = poll();
        while (copy != null) {
            copy = poll();
        }
    }

    /** Copies that have arrived since the node started. */
    public long arrived() {
        return arrived.sum();
    }

    /** Those of them that were dropped for want of room. */
    public long dropped() {
        return dropped.sum();
    }
}
