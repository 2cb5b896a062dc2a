// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How much a queue weighs when each node serves at its own pace: its depth, times how many messages the
 * fastest node serves while its node serves one.
 *
 * <p>Thread safe and lock-free; allocates once per window. All instants are of one monotonic clock.
 */
/*
 * A soft limit in messages is a limit in time only where all nodes serve equally fast. A node twenty
 * times slower than the others stands below a limit of 100 until its last write waits as long as
 * 2,000 writes take elsewhere; it then takes exactly as many writes as it can serve, each after that
 * wait. Weighed, its queue reaches the limit at the fifth write.
 *
 * The fastest is the least time told in this window or the one before: a node that was fast once does
 * not make the others look slow for ever. Times below the floor are equally fast.
 */
public final class ServiceWeights {
    private static final VarHandle WINDOW;
    private static final VarHandle LEAST;
    private static final long NONE = Long.MAX_VALUE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WINDOW = lookup.findVarHandle(ServiceWeights.class, "window", Window.class);
            LEAST = lookup.findVarHandle(Window.class, "least", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final class Window {
        final long startNanos;
        final long leastBefore;
        volatile long least = NONE;

        Window(long startNanos, long leastBefore) {
            this.startNanos = startNanos;
            this.leastBefore = leastBefore;
        }

        long least() {
            return Math.min(least, leastBefore);
        }
    }

    private final long floorNanos;
    private final long windowNanos;
    private volatile Window window;

    /**
     * @param floorNanos service times up to this are equally fast, 1 or above
     * @param windowNanos a time that was told counts at least this long, and less than twice this, 1 or above
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public ServiceWeights(long floorNanos, long windowNanos, long nowNanos) {
        if (floorNanos < 1) throw Allowed.refusal("floorNanos", floorNanos, "1 or above");
        if (windowNanos < 1) throw Allowed.refusal("windowNanos", windowNanos, "1 or above");
        this.floorNanos = floorNanos;
        this.windowNanos = windowNanos;
        window = new Window(nowNanos, NONE);
    }

    /** Takes note of a node's mean service time, this node's own too; 0 or below: it is not known. */
    public void told(long serviceNanos, long nowNanos) {
        if (serviceNanos <= 0) return;
        long time = Math.max(serviceNanos, floorNanos);
        Window current = current(nowNanos);
        for (long least = current.least; time < least; least = current.least)
            if (LEAST.compareAndSet(current, least, time)) return;
    }

    private Window current(long nowNanos) {
        Window current = window;
        long age = nowNanos - current.startNanos;
        if (age < windowNanos) return current;
        Window next = age < 2 * windowNanos
            ? new Window(current.startNanos + windowNanos, current.least)
            : new Window(nowNanos, NONE);
        WINDOW.compareAndSet(this, current, next);
        return window;
    }

    /**
     * The depth weighed, rounded down, at most {@link QueueDepth#MAX}; as it is when nothing is known
     * to be faster.
     *
     * @param serviceNanos the mean service time of the queue's node; 0 or below: it is not known
     * @throws IllegalArgumentException when the number is no depth
     */
    public int weighed(int depth, long serviceNanos, long nowNanos) {
        Allowed.depth(depth);
        long fastest = current(nowNanos).least();
        if (serviceNanos <= fastest || fastest == NONE) return depth;
        return (int) Math.min(QueueDepth.MAX, (double) depth * serviceNanos / fastest);
    }
}
