// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.ArrayDeque;

/** Several equal servers and one queue before them, first come first served: a node's processors or its disk. */
final class Station {
    /** Runs an action of the node: at once, or when the node runs again. */
    interface Gate {
        void whenRunning(Runnable action);
    }

    private static final class Job {
        final long nanos;
        final boolean isOfCopy;
        final Runnable done;

        Job(long nanos, boolean isOfCopy, Runnable done) {
            this.nanos = nanos;
            this.isOfCopy = isOfCopy;
            this.done = done;
        }
    }

    private final Events events;
    private final Gate gate;
    private final int servers;
    private final double[] busyNanos;
    private final double[] copiesNanos;
    private final ArrayDeque<Job> queue = new ArrayDeque<>();
    private int busy;
    private double slowness = 1;
    private int generation;

    /** @param seconds how long the station's load is recorded */
    Station(Events events, Gate gate, int servers, int seconds) {
        this.events = events;
        this.gate = gate;
        this.servers = servers;
        this.busyNanos = new double[seconds];
        this.copiesNanos = new double[seconds];
    }

    /** Serves a job of that length; then the action runs. */
    void submit(long nanos, Runnable done) {
        submit(new Job(nanos, false, done));
    }

    /** As {@link #submit(long, Runnable)}, of a copy for which no client waits. */
    void submitCopy(long nanos, Runnable done) {
        submit(new Job(nanos, true, done));
    }

    private void submit(Job job) {
        if (busy < servers && slowness > 0) {
            start(job);
        } else {
            queue.add(job);
        }
    }

    private void start(Job job) {
        busy++;
        // A waiting job is served at the speed of the moment at which its service begins.
        long takes = (long) (job.nanos * slowness);
        count(busyNanos, takes);
        if (job.isOfCopy) {
            count(copiesNanos, takes);
        }
        int begunIn = generation;
        events.after(
                takes,
                () -> gate.whenRunning(() -> {
                    if (begunIn != generation) {
                        return;
                    }
                    busy--;
                    startWaiting();
                    job.done.run();
                }));
    }

    private void startWaiting() {
        while (busy < servers && slowness > 0 && !queue.isEmpty()) {
            start(queue.poll());
        }
    }

    /** A service is spread over the seconds that it lasts. */
    private void count(double[] counts, long takes) {
        long at = events.now();
        long left = takes;
        while (left > 0) {
            int second = (int) (at / Simulation.SECOND);
            if (second >= counts.length) {
                return;
            }
            long part = Math.min(left, (second + 1) * Simulation.SECOND - at);
            counts[second] += part;
            at += part;
            left -= part;
        }
    }

    /** Each job that begins from now on takes so many times as long; 0: none begins. */
    void setSlowness(double times) {
        slowness = times;
        startWaiting();
    }

    /** The process has ended: what it had under way is forgotten. */
    void clear() {
        generation++;
        busy = 0;
        queue.clear();
    }

    /** The part of its capacity that was used in the seconds from..to, 0 to 1. */
    double load(int from, int to) {
        return load(busyNanos, from, to);
    }

    /** What of that was used for copies. */
    double loadOfCopies(int from, int to) {
        return load(copiesNanos, from, to);
    }

    private double load(double[] counts, int from, int to) {
        double sum = 0;
        for (int second = from; second < to; second++) {
            sum += counts[second];
        }
        return sum / servers / (to - from) / Simulation.SECOND;
    }

    int waiting() {
        return queue.size();
    }
}
