// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.PriorityQueue;

/** What happens when, in a time of its own: nobody waits for it. */
final class VirtualTime {
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

    long now() {
        return now;
    }

    void after(long nanos, Runnable what) {
        events.add(new Event(now + nanos, what, order++));
    }

    void after(double seconds, Runnable what) {
        after((long) (seconds * 1e9), what);
    }

    void run(double seconds) {
        long end = now + (long) (seconds * 1e9);
        while (!events.isEmpty() && events.peek().at <= end) {
            Event event = events.poll();
            now = event.at;
            event.what.run();
        }
        now = end;
    }
}
