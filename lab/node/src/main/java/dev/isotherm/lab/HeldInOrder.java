// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Things held back for a while, and let go in the order in which they came.
 *
 * <p>Nobody waits: {@link #hold} notes the thing and returns, and the timer lets it go. When the delay becomes shorter,
 * what comes later stays behind what came earlier.
 */
final class HeldInOrder<T> {
    /** Runs tasks later, one after the other. */
    interface Timer {
        void after(long nanos, Runnable task);
    }

    private final LongSupplier nanoClock;
    private final Timer timer;
    private final Consumer<T> deliver;
    private final ArrayDeque<T> held = new ArrayDeque<>();
    private long delayNanos;
    private long lastDue;

    HeldInOrder(LongSupplier nanoClock, Timer timer, Consumer<T> deliver) {
        this.nanoClock = nanoClock;
        this.timer = timer;
        this.deliver = deliver;
    }

    /** Sets for how long everything is held that comes from now on; 0: not at all. */
    synchronized void setDelay(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("a delay must be at least 0 ns, not " + nanos);
        }
        delayNanos = nanos;
    }

    /** Takes the thing, to be delivered when its time has come; false when it need not wait and is not taken. */
    synchronized boolean hold(T thing) {
        if (delayNanos == 0 && held.isEmpty()) {
            return false;
        }
        long now = nanoClock.getAsLong();
        long due = now + delayNanos;
        if (!held.isEmpty() && due - lastDue < 0) {
            due = lastDue;
        }
        lastDue = due;
        held.add(thing);
        timer.after(due - now, this::release);
        return true;
    }

    /** As many calls as there are things, and none before its own is due: the first of them is the one to go. */
    private void release() {
        T first;
        synchronized (this) {
            first = held.peek();
        }
        try {
            deliver.accept(first);
        } finally {
            // Only now: until it is delivered nothing passes it.
            synchronized (this) {
                held.remove();
            }
        }
    }
}
