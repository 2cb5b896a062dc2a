// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Who may try an avoided replica: so many copies of reads, or reads. One thread offers; any thread claims. */
/*
 * Where a copy has claimed what was offered, its answer is awaited, however long it takes: a read that claimed the next
 * one for that would wait for the same disk that hangs. A read claims only what no copy has claimed for a while.
 */
final class TrialClaims {
    /** Time for which an offer is for copies alone; afterwards a read may claim it, too. */
    static final long COPY_NANOS = 250_000_000L;

    private static final VarHandle FREE;

    static {
        try {
            FREE = MethodHandles.lookup().findVarHandle(TrialClaims.class, "free", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int free;
    private volatile boolean openToReads;
    private volatile boolean everClaimed;
    private long offeredNanos;
    /** Whether one was left at the last look. */
    private boolean wasFree;

    /** A trial begins: offers so many, 1 or above. */
    void begin(int claims, long nowNanos) {
        everClaimed = false;
        offer(claims, nowNanos);
    }

    private void offer(int claims, long nowNanos) {
        openToReads = false;
        offeredNanos = nowNanos;
        free = claims;
    }

    /**
     * Notes whether one is left, as of a look that also finds what is unanswered. One that was claimed shortly before
     * and is not sent yet is found nowhere, and another is offered beside it.
     */
    void look() {
        wasFree = free > 0;
    }

    /** Offers one after a {@link #look} that found nothing unanswered; it may be left of those offered before. */
    void offerNext(long nowNanos) {
        if (!wasFree) {
            offer(1, nowNanos);
            return;
        }
        // What was claimed since the look is under way. Where several are left, one goes on.
        int left = free;
        if (left > 1) {
            FREE.compareAndSet(this, left, 1);
        }
    }

    /** Lets a read claim what was offered long ago, if it may at all. */
    void openToReads(boolean mayBe, long nowNanos) {
        openToReads = mayBe && free > 0 && nowNanos - offeredNanos >= COPY_NANOS;
    }

    void withdraw() {
        free = 0;
    }

    /** Whether one is left, which a copy may claim. */
    boolean isFree() {
        return free > 0;
    }

    /** Whether any was claimed since the trial began. */
    boolean wereEverClaimed() {
        return everClaimed;
    }

    /** Claims one for a copy of a read. */
    boolean claim() {
        int left = free;
        while (left > 0 && !FREE.compareAndSet(this, left, left - 1)) {
            left = free;
        }
        if (left > 0) {
            everClaimed = true;
        }
        return left > 0;
    }

    /** Claims one for a read itself. */
    boolean claimByRead() {
        return openToReads && claim();
    }
}
