// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The operation that one thread serves, and how much of its time another thread has told of meanwhile. Takes no lock
 * and allocates nothing.
 *
 * <p>Whatever the threads do at the same instant, each nanosecond between a beginning and its end is told of once: by
 * {@link #tell}, or by who has called {@link #end}.
 *
 * @param <T> what the operation is on
 */
public final class ThreadHold<T> {
    /*
     * The instant up to which the operation's time has been told decides: who exchanges it has the time since then.
     * No instant comes twice, so that an exchange succeeds only if nothing has changed since the instant was read, and
     * what was read in between belongs to it.
     */

    /** Receives the time of an operation that goes on. */
    public interface Listener<T> {
        /** Whether to tell of the operation that has begun then; it may have ended meanwhile. */
        boolean isWanted(T what, long begunNanos);

        /**
         * The thread goes on with the operation.
         *
         * @param nanos its time since it began or was last told of
         * @param lastedNanos all its time
         */
        void holds(T what, long partition, long nanos, long lastedNanos);
    }

    /** Tells operations apart. */
    @FunctionalInterface
    public interface Kind<T> {
        boolean has(T what, long partition);
    }

    private static final long NOTHING = 0;
    private static final VarHandle TOLD;

    static {
        try {
            TOLD = MethodHandles.lookup().findVarHandle(ThreadHold.class, "told", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private T what;
    private long partition;
    private long begunNanos;
    /** The instant up to which the time was told of; {@link #NOTHING} while the thread serves nothing. */
    @SuppressWarnings("unused")
    private volatile long told;
    /** The last instant that was used; for the thread itself. */
    private long lastNanos;

    /** The thread begins an operation; the one before, if it has not ended, is forgotten. For the thread itself. */
    public void begin(T on, long ofPartition, long nowNanos) {
        end();
        what = on;
        partition = ofPartition;
        begunNanos = after(lastNanos, nowNanos);
        lastNanos = begunNanos;
        // Whoever reads the instant finds what was written before it.
        TOLD.setRelease(this, begunNanos);
    }

    /**
     * The thread's operation has ended, or is forgotten. For the thread itself.
     *
     * @return up to when its time has been told of, {@link #begun} if it has not; any number if there was none
     */
    public long end() {
        // Only this thread makes something of nothing.
        if (!isHeld()) {
            return begunNanos;
        }
        lastNanos = (long) TOLD.getAndSet(this, NOTHING);
        return lastNanos;
    }

    /** Whether the thread serves an operation. For the thread itself. */
    public boolean isHeld() {
        return (long) TOLD.getOpaque(this) != NOTHING;
    }

    /** What the operation is on. For the thread itself, also once it has ended. */
    public T what() {
        return what;
    }

    /** Its partition. For the thread itself, also once it has ended. */
    public long partition() {
        return partition;
    }

    /** When it began, or the first instant after it at which the thread did nothing else. For the thread itself. */
    public long begun() {
        return begunNanos;
    }

    /** Tells of the time of the operation, if the thread serves one and it is wanted. For other threads. */
    public void tell(long nowNanos, Listener<? super T> to) {
        long from = (long) TOLD.getVolatile(this);
        T on = what;
        long of = partition;
        long begun = begunNanos;
        if (from != NOTHING
                && nowNanos - from > 0
                && to.isWanted(on, begun)
                && TOLD.compareAndSet(this, from, something(nowNanos))) {
            to.holds(on, of, nowNanos - from, nowNanos - begun);
        }
    }

    /** Whether the thread serves an operation of this kind; it may have ended meanwhile. For any thread. */
    public boolean isHeldBy(Kind<? super T> kind) {
        long from = (long) TOLD.getVolatile(this);
        T on = what;
        long of = partition;
        // What was read in between belongs to the operation if nothing has changed.
        VarHandle.loadLoadFence();
        return from != NOTHING && on != null && (long) TOLD.getVolatile(this) == from && kind.has(on, of);
    }

    /** The instant, or the first that is later than the last one. */
    private static long after(long lastNanos, long nowNanos) {
        boolean isFirst = lastNanos == NOTHING;
        return something(isFirst || nowNanos - lastNanos > 0 ? nowNanos : lastNanos + 1);
    }

    private static long something(long nanos) {
        return nanos == NOTHING ? 1 : nanos;
    }
}
