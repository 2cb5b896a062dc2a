// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Weighs queue depths when nodes serve at different speeds. A weighed depth is the queue on the fastest node in which
 * the next message would take as long as on the queue's node.
 *
 * <p>Thread safe and lock-free; allocates only when a window begins. All instants are of one monotonic clock.
 */
/*
 * A node that serves c messages at once, each in the time s, and has d of them, has served the next
 * after about s (d + c) / c. On the fastest node, whose service time is s', a depth d' takes the same
 * time if s' (d' + c) = s (d + c). With f = s / s' that is
 *     d' = f d + (f - 1) c.
 * The second term is the message itself, which takes f times as long even on an idle node: without
 * this term an idle slow node would have the shortest queue of all.
 *
 * A soft limit in messages is a limit in time only if all nodes serve equally fast. A node twenty times slower than the
 * others is below a limit of 100 until its last write waits as long as 2,000 writes take on another node; it then takes
 * exactly as many writes as it can serve, each after that wait. Weighed, with c = 32, its queue has reached the limit
 * before its first write.
 *
 * The fastest time is the least time reported in this window or the one before: a node that was fast once does not make
 * the others look slow for ever. Times up to the floor are equally fast.
 */
public final class ServiceWeights {
    private static final VarHandle WINDOW;
    private static final long NONE = Long.MAX_VALUE;

    static {
        try {
            WINDOW = MethodHandles.lookup().findVarHandle(ServiceWeights.class, "window", Window.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final class Window {
        final long startNanos;
        /** Of the window before: a time that is told while this one begins may still come there. */
        final AtomicLong leastBefore;

        final AtomicLong least = new AtomicLong(NONE);

        Window(long startNanos, AtomicLong leastBefore) {
            this.startNanos = startNanos;
            this.leastBefore = leastBefore;
        }

        long least() {
            return Math.min(least.get(), leastBefore.get());
        }
    }

    private final int servedAtOnce;
    private final long floorNanos;
    private final long windowNanos;
    private volatile Window window;

    /**
     * @param servedAtOnce the number of messages a node serves at a time, 1 to {@link QueueDepth#MAX}
     * @param floorNanos service times up to this are equally fast, 1 or above
     * @param windowNanos a reported time counts for at least this long, and less than twice this, 1 or above
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public ServiceWeights(int servedAtOnce, long floorNanos, long windowNanos, long nowNanos) {
        if (servedAtOnce < 1 || servedAtOnce > QueueDepth.MAX) {
            throw Allowed.refusal("servedAtOnce", servedAtOnce, "1 to " + QueueDepth.MAX);
        }
        if (floorNanos < 1) {
            throw Allowed.refusal("floorNanos", floorNanos, "1 or above");
        }
        if (windowNanos < 1) {
            throw Allowed.refusal("windowNanos", windowNanos, "1 or above");
        }
        this.servedAtOnce = servedAtOnce;
        this.floorNanos = floorNanos;
        this.windowNanos = windowNanos;
        window = new Window(nowNanos, new AtomicLong(NONE));
    }

    /** Notes a reported mean service time, of this node or another; 0 or below: unknown. */
    public void told(long serviceNanos, long nowNanos) {
        if (serviceNanos <= 0) {
            return;
        }
        long time = Math.max(serviceNanos, floorNanos);
        AtomicLong least = current(nowNanos).least;
        // Most are no less: these write nothing.
        if (time < least.get()) {
            least.accumulateAndGet(time, Math::min);
        }
    }

    private Window current(long nowNanos) {
        Window current = window;
        long age = nowNanos - current.startNanos;
        if (age < windowNanos) {
            return current;
        }
        Window next = age < 2 * windowNanos
                ? new Window(current.startNanos + windowNanos, current.least)
                : new Window(nowNanos, new AtomicLong(NONE));
        WINDOW.compareAndSet(this, current, next);
        return window;
    }

    /**
     * The weighed depth, rounded down, at most {@link QueueDepth#MAX}; the depth itself if no node is known to be
     * faster.
     *
     * @param serviceNanos the mean service time of the queue's node; 0 or below: unknown
     * @throws IllegalArgumentException when the number is no depth
     */
    public int weighed(int depth, long serviceNanos, long nowNanos) {
        QueueDepth.requireValid(depth);
        long fastest = current(nowNanos).least();
        if (serviceNanos <= fastest || fastest == NONE) {
            return depth;
        }
        double times = (double) serviceNanos / fastest;
        return (int) Math.min(QueueDepth.MAX, times * depth + (times - 1) * servedAtOnce);
    }
}
