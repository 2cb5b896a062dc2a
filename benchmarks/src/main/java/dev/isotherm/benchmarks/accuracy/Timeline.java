// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import java.util.PriorityQueue;

/**
 * Virtual time: events run in the order of their instants; events of one instant run in the order of their scheduling.
 */
final class Timeline {
    private static final class Event implements Comparable<Event> {
        final long nanos;
        final long number;
        final Runnable action;

        Event(long nanos, long number, Runnable action) {
            this.nanos = nanos;
            this.number = number;
            this.action = action;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(nanos, other.nanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long scheduled;
    private long now;
    private long next = Long.MAX_VALUE;

    /** The present instant, in nanoseconds. */
    long now() {
        return now;
    }

    /** Runs the action at that instant, which must not have passed. */
    void at(long nanos, Runnable action) {
        if (nanos < now) {
            throw new IllegalArgumentException(nanos + " has passed: it is " + now);
        }
        events.add(new Event(nanos, scheduled++, action));
        next = events.peek().nanos;
    }

    /** Runs all events up to and including that instant, and makes it the present one. */
    void advance(long nanos) {
        while (next <= nanos) {
            Event event = events.poll();
            now = event.nanos;
            event.action.run();
            next = events.isEmpty() ? Long.MAX_VALUE : events.peek().nanos;
        }
        if (nanos < now) {
            throw new IllegalArgumentException(nanos + " has passed: it is " + now);
        }
        now = nanos;
    }
}
