// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds what waiting for answers costs the threads that serve requests: a quarter of the threads, and at least one,
 * may wait patiently at the same time; each further thread waits briefly.
 *
 * <p>A brief wait suffices for a peer that is well, so that a limit holds under a flood that has every thread ask. It
 * is short enough that requests which ask nobody go on. It may be none at all.
 *
 * <p>Thread safe, without locks or allocation.
 */
public final class WaitingThreads {
    private static final int PATIENT_SHARE = 4;

    private final int most;
    private final long patienceNanos;
    private final long briefNanos;
    private final AtomicInteger patient = new AtomicInteger();

    /**
     * @param threads the threads that serve requests, 1 or above
     * @param patienceNanos the patient wait, above the brief one
     * @param briefNanos the brief wait, 0 or above
     */
    public WaitingThreads(int threads, long patienceNanos, long briefNanos) {
        if (threads < 1) {
            throw Allowed.refusal("threads", threads, "1 or above");
        }
        if (briefNanos < 0 || patienceNanos <= briefNanos) {
            throw Allowed.refusal("briefNanos", briefNanos, "from 0 to below patienceNanos, which is " + patienceNanos);
        }
        this.most = Math.max(1, threads / PATIENT_SHARE);
        this.patienceNanos = patienceNanos;
        this.briefNanos = briefNanos;
    }

    /** Begins a wait of one thread, and returns how long it may last; {@link #end} with the same number ends it. */
    public long begin() {
        int waiting = patient.get();
        while (waiting < most) {
            if (patient.compareAndSet(waiting, waiting + 1)) {
                return patienceNanos;
            }
            waiting = patient.get();
        }
        return briefNanos;
    }

    /** @param begunNanos what {@link #begin} returned to this thread */
    public void end(long begunNanos) {
        if (begunNanos == patienceNanos) {
            patient.decrementAndGet();
        }
    }
}
