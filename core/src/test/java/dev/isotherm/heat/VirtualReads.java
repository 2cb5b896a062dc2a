// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.EventVariance;
import dev.isotherm.common.SteadyRatio;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Three replicas in virtual time, each with 32 threads, and a disk that serves two reads at a time and a queue before
 * it, under QUORUM reads at a fixed rate. A read that gets no thread for 5 s is dropped. Plans, measures and grids
 * are core's own.
 */
final class VirtualReads {
    static final int NODES = 3;
    private static final int K = 2;
    private static final long SECOND = 1_000_000_000L;
    private static final long ROUND = SECOND / 5;
    private static final long SMOOTHING = 3 * SECOND;
    private static final long HIT = 200_000;
    private static final double COLD_READS = 20;
    private static final int THREADS = 32;
    private static final long TIMEOUT = 5 * SECOND;

    /** How a node measures its heat. */
    interface Measure {
        void read(boolean miss, long nanos);

        Heat heat(long nowNanos);
    }

    private static final class Read {
        final int node;
        final boolean miss;
        final long begun;
        final long end;

        Read(int node, boolean miss, long begun, long end) {
            this.node = node;
            this.miss = miss;
            this.begun = begun;
            this.end = end;
        }
    }

    private final SplittableRandom random;
    private final BalanceSettings settings;
    private final Heat.Kind kind;
    private final Measure[] measures = new Measure[NODES];
    private final Heat[] heats = new Heat[NODES];
    private final ReadPlan[] plans = new ReadPlan[NODES];
    private final long[][] free = new long[NODES][2];
    private final List<PriorityQueue<Long>> threads = new ArrayList<>();
    private final PriorityQueue<Read> running = new PriorityQueue<>(Comparator.comparingLong(read -> read.end));
    private final long[] served = new long[NODES];
    private long now;
    private long nextRound = ROUND;

    /** Requests per second at each coordinator. */
    double[] requests = {100, 100, 100};
    /** The rates that the coordinators tell. */
    RequestRate[] told = new RequestRate[NODES];

    double[] misses = {1 / 3.0, 1 / 3.0, 1 / 3.0};
    /** The mean service time of each disk, nanoseconds; each read's varies by half of it. */
    double[] service = {11e6, 11e6, 11e6};
    /** A pause of a node's whole process: how often and how long, nanoseconds; 0 for none. */
    long pauseEvery;

    long pauseLasts;

    VirtualReads(Heat.Kind kind, BalanceSettings settings, long seed) {
        this.kind = kind;
        this.settings = settings;
        this.random = new SplittableRandom(seed);
        for (int node = 0; node < NODES; node++) {
            measures[node] = measure();
            threads.add(new PriorityQueue<>(Collections.nCopies(THREADS, 0L)));
        }
        settle();
    }

    private Measure measure() {
        switch (kind) {
            case COST:
                return new Costs();
            case READ_TIME:
                return new Times();
            default:
                return new Misses();
        }
    }

    /** Runs for some seconds; returns the reads that each node began. */
    long[] run(double seconds) {
        long[] before = served.clone();
        double perSecond = Arrays.stream(requests).sum();
        long until = now + (long) (seconds * SECOND);
        while (now < until) {
            now += (long) (-Math.log(1 - random.nextDouble()) / perSecond * SECOND);
            while (nextRound <= now) {
                finish(nextRound);
                settle();
                nextRound += ROUND;
            }
            request(coordinator(perSecond));
        }
        long[] reads = new long[NODES];
        Arrays.setAll(reads, node -> served[node] - before[node]);
        return reads;
    }

    private int coordinator(double perSecond) {
        double u = random.nextDouble() * perSecond;
        int node = 0;
        while (node < NODES - 1 && u >= requests[node]) {
            u -= requests[node++];
        }
        return node;
    }

    private void request(int coordinator) {
        ReadPlan plan = plans[coordinator];
        int[] order = {coordinator, (coordinator + 1) % NODES, (coordinator + 2) % NODES};
        if (plan != null) {
            plan.order(random.nextLong(), random.nextDouble(), random.nextDouble(), order);
        }
        for (int i = 0; i < K; i++) {
            read(order[i]);
        }
    }

    private void read(int node) {
        long begun = afterPause(node, Math.max(now, threads.get(node).peek()));
        if (begun - now > TIMEOUT) {
            return;
        }
        served[node]++;
        boolean miss = random.nextDouble() < misses[node];
        long end = begun + HIT;
        if (miss) {
            int disk = free[node][0] <= free[node][1] ? 0 : 1;
            end = Math.max(begun, free[node][disk]) + (long) (service[node] * (0.5 + random.nextDouble()));
            free[node][disk] = end;
        }
        // A pause within the read lengthens it; the wait for a thread before its beginning is not part of it.
        if (pauseEvery > 0 && pausesUntil(node, begun) < pausesUntil(node, end)) {
            end += pauseLasts;
        }
        threads.get(node).remove();
        threads.get(node).add(end);
        running.add(new Read(node, miss, begun, end));
    }

    /** The nodes pause one after another. */
    private long pausesUntil(int node, long at) {
        return Math.floorDiv(at - node * pauseEvery / NODES, pauseEvery);
    }

    private long afterPause(int node, long at) {
        if (pauseEvery == 0) {
            return at;
        }
        long into = Math.floorMod(at - node * pauseEvery / NODES, pauseEvery);
        return into < pauseLasts ? at + pauseLasts - into : at;
    }

    private void finish(long until) {
        while (!running.isEmpty() && running.peek().end <= until) {
            Read read = running.remove();
            measures[read.node].read(read.miss, read.end - read.begun);
        }
    }

    private void settle() {
        for (int node = 0; node < NODES; node++) {
            heats[node] = measures[node].heat(nextRound);
        }
        for (int node = 0; node < NODES; node++) {
            plans[node] = ReadPlan.of(heats, told, Standing.used(heats.length), () -> 0, K, node, settings);
        }
    }

    /** The heat that a node tells. */
    Heat heat(int node) {
        return heats[node];
    }

    private static final class Misses implements Measure {
        private final AdaptiveRatio ratio = new AdaptiveRatio(EventVariance.OF_RATIO, SMOOTHING, 1, COLD_READS, 0, 0);
        private final ToldHeat told = new ToldHeat(Heat.Kind.MISS_RATIO);
        private double missed;
        private double reads;

        @Override
        public void read(boolean miss, long nanos) {
            missed += miss ? 1 : 0;
            reads++;
        }

        @Override
        public Heat heat(long nowNanos) {
            ratio.add(missed, reads, nowNanos);
            Heat heat = told.measured(ratio.value(), ratio.error());
            missed = 0;
            reads = 0;
            return heat;
        }
    }

    private final class Times implements Measure {
        private final SteadyRatio ratio = new SteadyRatio(SMOOTHING, settings.coldReadNanos(), COLD_READS, 0);
        private final ToldHeat told = new ToldHeat(Heat.Kind.READ_TIME);
        private double sum;
        private double reads;

        @Override
        public void read(boolean miss, long nanos) {
            sum += nanos;
            reads++;
        }

        @Override
        public Heat heat(long nowNanos) {
            ratio.add(sum, reads, nowNanos);
            Heat heat = told.measured(ratio.value(), ratio.error());
            sum = 0;
            reads = 0;
            return heat;
        }
    }

    private final class Costs implements Measure {
        private final DiskReads disk = new DiskReads(SMOOTHING, settings.coldReadNanos(), 0);
        private long reads;

        @Override
        public void read(boolean miss, long nanos) {
            reads++;
            if (disk.isSampled(random.nextDouble())) {
                disk.add(miss ? 1 : 0, nanos);
            }
        }

        @Override
        public Heat heat(long nowNanos) {
            disk.settle(reads, nowNanos);
            reads = 0;
            return disk.heat();
        }
    }
}
