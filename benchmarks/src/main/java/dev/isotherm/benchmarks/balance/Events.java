// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.Arrays;

/**
 * Virtual time: events run in the order of their instants; events of one instant run in the order of their scheduling.
 * A binary heap on arrays, because a run of a large cluster has a hundred million events.
 */
final class Events {
    private long[] instants = new long[1024];
    private long[] numbers = new long[1024];
    private Runnable[] actions = new Runnable[1024];
    private int size;
    private long scheduled;
    private long now;

    /** The present instant, in nanoseconds. */
    long now() {
        return now;
    }

    /** The number of events scheduled so far. */
    long scheduled() {
        return scheduled;
    }

    /** Runs the action after that many nanoseconds, 0 or above. */
    void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    /** Runs the action at that instant, which must not have passed. */
    void at(long instant, Runnable action) {
        if (instant < now) {
            throw new IllegalArgumentException(instant + " has passed: it is " + now);
        }
        if (size == instants.length) {
            instants = Arrays.copyOf(instants, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            actions = Arrays.copyOf(actions, 2 * size);
        }
        rise(size++, instant, scheduled++, action);
    }

    /** Runs all events up to and including that instant, and makes it the present one. */
    void runUntil(long instant) {
        while (size > 0 && instants[0] <= instant) {
            now = instants[0];
            Runnable action = actions[0];
            size--;
            long lastInstant = instants[size];
            long lastNumber = numbers[size];
            Runnable last = actions[size];
            actions[size] = null;
            if (size > 0) {
                sink(lastInstant, lastNumber, last);
            }
            action.run();
        }
        now = instant;
    }

    private void rise(int place, long instant, long number, Runnable action) {
        int at = place;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (isBefore(parent, instant, number)) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        put(at, instant, number, action);
    }

    private void sink(long instant, long number, Runnable action) {
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(child + 1, instants[child], numbers[child])) {
                child++;
            }
            if (!isBefore(child, instant, number)) {
                break;
            }
            move(child, at);
            at = child;
        }
        put(at, instant, number, action);
    }

    private boolean isBefore(int place, long instant, long number) {
        return instants[place] < instant || instants[place] == instant && numbers[place] < number;
    }

    private void move(int from, int to) {
        put(to, instants[from], numbers[from], actions[from]);
    }

    private void put(int place, long instant, long number, Runnable action) {
        instants[place] = instant;
        numbers[place] = number;
        actions[place] = action;
    }
}
