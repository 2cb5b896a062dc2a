// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import java.util.PriorityQueue;

/** What happens when, in a time of its own: nobody waits for it. */
public final class VirtualTime {
    private static final class Event implements Comparable<Event> {
        final long at;
        final Runnable what;
        final long order;

        Event(long at, Runnable what, long order) {
            this.at = at;
            this.what = what;
            this.order = order;
        }

        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long order;

    /** The present instant, in nanoseconds. */
    public long now() {
        return now;
    }

    /** Whether nothing is planned. */
    public boolean isEmpty() {
        return events.isEmpty();
    }

    /** Plans an action; of those of one instant, that which was planned first comes first. */
    public void after(long nanos, Runnable what) {
        events.add(new Event(now + nanos, what, order++));
    }

    /** Plans an action. */
    public void after(double seconds, Runnable what) {
        after((long) (seconds * 1e9), what);
    }

    /** Lets happen what is planned up to and including an instant, and makes it the present one. */
    public void runUntil(long instant) {
        while (!events.isEmpty() && events.peek().at <= instant) {
            Event event = events.poll();
            now = event.at;
            event.what.run();
        }
        now = instant;
    }

    /** Runs for so long. */
    public void run(double seconds) {
        runUntil(now + (long) (seconds * 1e9));
    }
}
