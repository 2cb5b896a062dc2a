// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import dev.isotherm.common.RunningClock;
import dev.isotherm.common.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A pool of threads with a queue in virtual time, and the clients that send it operations: each partition's arrive by
 * chance at a rate, or a fixed number of them is under way, and each takes the partition's cost.
 */
final class VirtualPool {
    private static final long PROBE_NANOS = 10_000_000;
    private static final long PROBES_A_LOOK = FairShare.INTERVAL_NANOS / PROBE_NANOS;
    private static final Task PROBE = new Task(-1, () -> {});

    /** What happened to one partition's operations. */
    static final class Tally {
        double asked;
        double served;
        double refused;
        double servedSeconds;
    }

    private static final class Task {
        final int partition;
        final Runnable end;
        long begun;
        /** Up to when the shares were told of it. */
        long told;

        Task(int partition, Runnable end) {
            this.partition = partition;
            this.end = end;
        }
    }

    final FairShare shares;
    final double[] rates;
    final double[] costSeconds;
    /** The most that a partition may hold, as its table says. */
    final double[] mostShares;
    /** How many operations follow one upon the other for one decision about a partition, as an aggregate's pages do. */
    final int[] perDecision;

    private final int threads;
    private final SplittableRandom random;
    private final QueueProbe probe = new QueueProbe();
    /** In which the process runs. */
    private final VirtualTime time;
    /** How far the process' pauses have put the time of others ahead of its own. */
    private long pausedNanos;

    private final RunningClock clock = new RunningClock(FairShare.LATE_NANOS, FairShare.LATE_NANOS, 0);
    private final Deque<Task> queue = new ArrayDeque<>();
    private final int[] closedFirst;
    private final int[] closedEnd;
    private final long[] generation;
    private int busy;
    private int busySum;
    private long probeSent;
    /** Operations that are served at a time without taking longer: a disk or processors behind the threads. */
    int parallel = Integer.MAX_VALUE;
    /** The part by which an operation may take more or less than its cost. */
    double variation;
    /** What the operations read from, chunk by chunk; null if they take their cost as a whole. */
    VirtualDisk disk;
    /** The operations that read from the disk, of which the shares are told before they end. */
    private final List<Task> held = new ArrayList<>();
    /** The seconds until a client whose operation was refused sends the next, where a fixed number is under way. */
    double pauseSeconds = 0.05;

    Tally[] tallies;
    double busySeconds;

    /** @param costSeconds the time that an operation on each partition takes */
    VirtualPool(int threads, double[] costSeconds, long seed, FairShare.Listener listener) {
        this(threads, costSeconds, seed, listener, new VirtualTime());
    }

    /** @param time in which other pools may work too */
    VirtualPool(int threads, double[] costSeconds, long seed, FairShare.Listener listener, VirtualTime time) {
        this.time = time;
        this.threads = threads;
        this.costSeconds = costSeconds;
        this.rates = new double[costSeconds.length];
        this.mostShares = new double[costSeconds.length];
        Arrays.fill(mostShares, 1);
        this.perDecision = new int[costSeconds.length];
        Arrays.fill(perDecision, 1);
        this.closedFirst = new int[costSeconds.length];
        this.closedEnd = new int[costSeconds.length];
        this.generation = new long[costSeconds.length];
        this.random = new SplittableRandom(seed);
        this.shares = new FairShare(1024, seed, listener, clock, 0);
        this.tallies = tallies();
        time.after(PROBE_NANOS, this::probe);
        time.after(FairShare.INTERVAL_NANOS, this::look);
    }

    /** A clock of a process that is never paused. */
    static RunningClock unpaused() {
        return new RunningClock(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, 0);
    }

    /** The process and its clients stand still for so long. */
    void pause(double seconds) {
        pausedNanos += (long) (seconds * 1e9);
    }

    private long nanoTime() {
        return time.now() + pausedNanos;
    }

    private long running() {
        return clock.running(nanoTime());
    }

    private Tally[] tallies() {
        Tally[] fresh = new Tally[costSeconds.length];
        Arrays.setAll(fresh, partition -> new Tally());
        return fresh;
    }

    /** From now on so many operations a second arrive on the partition. */
    void rate(int partition, double perSecond) {
        rates[partition] = perSecond;
        long mine = ++generation[partition];
        if (perSecond > 0) {
            next(partition, mine);
        }
    }

    private void next(int partition, long mine) {
        time.after(-Math.log(1 - random.nextDouble()) / rates[partition], () -> {
            if (generation[partition] == mine) {
                arrive(partition);
                next(partition, mine);
            }
        });
    }

    /**
     * From now on so many operations are under way on the partitions from the first to before the end; each is followed
     * by one on another of them.
     */
    void underWay(int first, int end, int operations) {
        Arrays.fill(closedFirst, first, end, first);
        Arrays.fill(closedEnd, first, end, operations > 0 ? end : 0);
        for (int i = 0; i < operations; i++) {
            arrive(first + random.nextInt(end - first));
        }
    }

    private void arrive(int partition) {
        tallies[partition].asked++;
        WatchedPartition watched = shares.watched(partition + 1);
        int number = watched == null ? random.nextInt() : watched.nextNumber();
        if (shares.refusing(partition + 1, mostShares[partition], number, 1) != null) {
            tallies[partition].refused++;
            again(partition, pauseSeconds);
        } else {
            send(partition, perDecision[partition]);
        }
    }

    private void send(int partition, int operations) {
        send(partition, operations > 1 ? () -> send(partition, operations - 1) : () -> again(partition, 0));
    }

    /** Lets an operation wait for a thread that serves it. */
    void send(int partition, Runnable end) {
        queue.add(new Task(partition, end));
        serve();
    }

    private void again(int partition, double seconds) {
        if (closedEnd[partition] > 0) {
            time.after(seconds, () -> {
                if (closedEnd[partition] > 0) {
                    int first = closedFirst[partition];
                    arrive(first + random.nextInt(closedEnd[partition] - first));
                }
            });
        }
    }

    private void serve() {
        while (busy < threads && !queue.isEmpty()) {
            Task task = queue.poll();
            if (task == PROBE) {
                probe.ran(probeSent, running());
                continue;
            }
            busy++;
            task.begun = running();
            task.told = task.begun;
            double varied = variation > 0 ? 1 + variation * (2 * random.nextDouble() - 1) : 1;
            double seconds = costSeconds[task.partition] * varied;
            if (disk != null) {
                held.add(task);
                disk.read(seconds, () -> end(task));
            } else {
                time.after(seconds * Math.max(1, (double) busy / parallel), () -> end(task));
            }
        }
    }

    private void end(Task task) {
        int partition = task.partition;
        long lasted = running() - task.begun;
        busy--;
        held.remove(task);
        busySeconds += lasted * 1e-9;
        tallies[partition].served++;
        tallies[partition].servedSeconds += costSeconds[partition];
        shares.ended(partition + 1, running() - task.told, lasted);
        task.end.run();
        serve();
    }

    private void probe() {
        clock.tick(nanoTime());
        busySum += busy;
        if (queue.isEmpty()) {
            probe.nothingWaits();
        } else if (probe.send(running())) {
            probeSent = running();
            queue.add(PROBE);
        }
        time.after(PROBE_NANOS, this::probe);
    }

    private void look() {
        for (Task task : held) {
            if (running() - task.begun < FairShare.INTERVAL_NANOS) {
                continue;
            }
            shares.holds(task.partition + 1, running() - task.told, running() - task.begun);
            task.told = running();
        }
        shares.look(probe.leastWait(running()), threads, (double) busySum / PROBES_A_LOOK, nanoTime());
        busySum = 0;
        time.after(FairShare.INTERVAL_NANOS, this::look);
    }

    /** Runs for so long and returns what happened meanwhile. */
    Tally[] run(double seconds) {
        tallies = tallies();
        busySeconds = 0;
        time.run(seconds);
        return tallies;
    }

    int queued() {
        return queue.size();
    }
}
