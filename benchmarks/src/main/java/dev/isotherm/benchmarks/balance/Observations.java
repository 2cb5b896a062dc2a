// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

/** What clients and nodes saw, by the second: requests by that of their arrival, reads by that of their service. */
final class Observations {
    /** Latencies are counted in steps of 1 %, from 10 microseconds on. */
    private static final double STEP = Math.log(1.01);

    private static final double LEAST_NANOS = 1e4;
    private static final int STEPS = (int) (Math.log(Simulation.TIMEOUT_NANOS / LEAST_NANOS) / STEP) + 2;

    private final int seconds;
    private final int[] begun;
    private final int[] failed;
    private final int[] answered;
    private final double[] sums;
    private final int[][] latencies;
    private final int[] planned;
    private final int[] rebuilt;
    private final int[][] reads;
    private final int[][] diskReads;
    private final int diskReadsPerMiss;
    private final int[][] copies;
    private final int[] placementChanges;
    private int lastPlacementChange = -1;
    private final int[] crossed;

    /** @param diskReadsPerMiss so many reads of the disk count as one miss */
    Observations(int nodes, int seconds, int diskReadsPerMiss) {
        this.seconds = seconds;
        this.diskReadsPerMiss = diskReadsPerMiss;
        begun = new int[seconds];
        failed = new int[seconds];
        answered = new int[seconds];
        sums = new double[seconds];
        latencies = new int[seconds][STEPS];
        planned = new int[seconds];
        rebuilt = new int[seconds];
        reads = new int[nodes][seconds];
        diskReads = new int[nodes][seconds];
        copies = new int[nodes][seconds];
        placementChanges = new int[nodes];
        crossed = new int[seconds];
    }

    private int second(long nanos) {
        return (int) (nanos / Simulation.SECOND);
    }

    void begun(long nanos) {
        if (second(nanos) < seconds) {
            begun[second(nanos)]++;
        }
    }

    /** A request for which there were too few living replicas. */
    void failed(long nanos) {
        if (second(nanos) < seconds) {
            failed[second(nanos)]++;
        }
    }

    void answered(long begunNanos, long latencyNanos) {
        int second = second(begunNanos);
        if (second < seconds && latencyNanos < Simulation.TIMEOUT_NANOS) {
            answered[second]++;
            sums[second] += latencyNanos;
            latencies[second][Math.max(0, (int) Math.ceil(Math.log(latencyNanos / LEAST_NANOS) / STEP))]++;
        }
    }

    /** A read was ordered by a plan, which may have had to be made anew for it. */
    void planned(boolean anew, long nanos) {
        int second = second(nanos);
        if (second < seconds) {
            planned[second]++;
            rebuilt[second] += anew ? 1 : 0;
        }
    }

    /** The plans made for each read. */
    double plansPerRead(int from, int to) {
        return sum(rebuilt, from, to) / (double) Math.max(1, sum(planned, from, to));
    }

    void served(int node, int readsOfDisk, long nanos) {
        int second = second(nanos);
        if (second < seconds) {
            reads[node][second]++;
            diskReads[node][second] += readsOfDisk;
        }
    }

    /** A node has served a copy of a read: it misses as a read does, but is none of a client's. */
    void copied(int node, int readsOfDisk, long nanos) {
        int second = second(nanos);
        if (second < seconds) {
            copies[node][second]++;
            diskReads[node][second] += readsOfDisk;
        }
    }

    /** Another placement is in force on a node. */
    void placementChanged(int node, long nanos) {
        placementChanges[node]++;
        lastPlacementChange = second(nanos);
    }

    /** How often the placement of a node has changed. */
    int placementChanges(int node) {
        return placementChanges[node];
    }

    /** The second of the last change of any node's placement; -1 without one. */
    int lastPlacementChange() {
        return lastPlacementChange;
    }

    /** A read, or a copy of one, has left for another node. */
    void sent(boolean isNear, long nanos) {
        if (!isNear && second(nanos) < seconds) {
            crossed[second(nanos)]++;
        }
    }

    /** The reads, and copies of reads, sent to another datacenter. */
    long crossed(int from, int to) {
        return sum(crossed, from, to);
    }

    int seconds() {
        return seconds;
    }

    long begun(int from, int to) {
        return sum(begun, from, to);
    }

    /** Requests with no answer in time, without those that failed at once. */
    long timedOut(int from, int to) {
        return sum(begun, from, to) - sum(answered, from, to) - sum(failed, from, to);
    }

    long failed(int from, int to) {
        return sum(failed, from, to);
    }

    /** The mean of all requests in milliseconds; one that timed out counts as the time-out. */
    double meanMillis(int from, int to) {
        double sum = timedOut(from, to) * (double) Simulation.TIMEOUT_NANOS;
        for (int second = from; second < to; second++) {
            sum += sums[second];
        }
        return sum / 1e6 / Math.max(1, begun(from, to) - failed(from, to));
    }

    /** The latency in milliseconds that this part of all requests does not exceed; the time-out for those after it. */
    double percentileMillis(double part, int from, int to) {
        long wanted = (long) Math.ceil(part * (begun(from, to) - failed(from, to)));
        long seen = 0;
        for (int step = 0; step < STEPS; step++) {
            for (int second = from; second < to; second++) {
                seen += latencies[second][step];
            }
            if (seen >= wanted) {
                return LEAST_NANOS * Math.exp(step * STEP) / 1e6;
            }
        }
        return Simulation.TIMEOUT_NANOS / 1e6;
    }

    double readsPerSecond(int node, int from, int to) {
        return sum(reads[node], from, to) / (double) (to - from);
    }

    double missesPerSecond(int node, int from, int to) {
        return sum(diskReads[node], from, to) / (double) (to - from) / diskReadsPerMiss;
    }

    double copiesPerSecond(int node, int from, int to) {
        return sum(copies[node], from, to) / (double) (to - from);
    }

    long reads(int node, int from, int to) {
        return sum(reads[node], from, to);
    }

    private static long sum(int[] values, int from, int to) {
        long sum = 0;
        for (int second = from; second < to; second++) {
            sum += values[second];
        }
        return sum;
    }
}
