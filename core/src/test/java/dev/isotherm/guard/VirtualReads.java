// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import dev.isotherm.common.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A cluster of three replicas in virtual time: every node coordinates a third of the reads, each read contacts two
 * replicas, and every replica has 32 read threads, a cache and a disk with two places.
 */
final class VirtualReads {
    static final long MS = 1_000_000;
    static final long SECOND = 1_000_000_000;
    static final int NODES = 3;
    private static final int THREADS = 32;
    private static final int DISK_PLACES = 2;
    private static final long TIMEOUT = 5 * SECOND;

    /** One read at one coordinator. */
    static final class Read {
        final long begun;
        final int coordinator;
        long ended = -1;
        int answers;

        Read(long begun, int coordinator) {
            this.begun = begun;
            this.coordinator = coordinator;
        }

        double millis() {
            return (ended < 0 ? TIMEOUT : ended - begun) / 1e6;
        }
    }

    private static final class Task {
        final long arrived;
        final Runnable done;

        Task(long arrived, Runnable done) {
            this.arrived = arrived;
            this.done = done;
        }
    }

    final class Node {
        final int number;
        final ReadGuard<Integer> guard;
        double missRatio = 1.0 / 3;
        long diskNanos = 8 * MS;
        long networkNanos = MS / 5;
        boolean frozen;
        /** Whether it says that it hardly runs; a node without the plugin does not. */
        boolean tells = true;
        /** Whom copies of reads are about to try. */
        private final ArrayDeque<Node> copies = new ArrayDeque<>();

        private final ArrayDeque<Runnable> heldBack = new ArrayDeque<>();
        private final ArrayDeque<Task> waiting = new ArrayDeque<>();
        private final ArrayDeque<Task> disk = new ArrayDeque<>();
        private int threadsBusy;
        private int diskBusy;
        private long ended;
        private long endedNanos;
        int served;

        Node(int number) {
            this.number = number;
            GuardSettings settings = GuardSettings.defaults();
            guard = new ReadGuard<>(settings, number, () -> TIMEOUT, () -> TIMEOUT, node -> true, listener(number), 0);
        }

        /** Runs the action when the node runs: at once, or after it was frozen. */
        void whenRunning(Runnable action) {
            if (frozen) {
                heldBack.add(action);
            } else {
                action.run();
            }
        }

        void thaw() {
            frozen = false;
            while (!frozen && !heldBack.isEmpty()) {
                heldBack.poll().run();
            }
        }

        void serve(Runnable done) {
            waiting.add(new Task(time.now(), done));
            startNext();
        }

        private void startNext() {
            while (threadsBusy < THREADS && !waiting.isEmpty()) {
                Task task = waiting.poll();
                if (time.now() - task.arrived > TIMEOUT) {
                    continue;
                }
                threadsBusy++;
                long begun = time.now();
                Runnable end = () -> {
                    threadsBusy--;
                    served++;
                    servedBy.add(number);
                    servedAt.add(time.now());
                    ended++;
                    endedNanos += time.now() - begun;
                    task.done.run();
                    startNext();
                };
                if (random.nextDouble() < missRatio) {
                    disk.add(new Task(time.now(), end));
                    startDisk();
                } else {
                    after(MS / 5, () -> whenRunning(end));
                }
            }
        }

        private void startDisk() {
            while (diskBusy < DISK_PLACES && !disk.isEmpty() && diskNanos < Long.MAX_VALUE) {
                Task task = disk.poll();
                diskBusy++;
                long service = (long) (diskNanos * (0.75 + 0.5 * random.nextDouble()));
                after(
                        service,
                        () -> whenRunning(() -> {
                            diskBusy--;
                            task.done.run();
                            startDisk();
                        }));
            }
        }

        void setDisk(long nanos) {
            diskNanos = nanos;
            startDisk();
        }

        int tasks() {
            return threadsBusy + waiting.size();
        }
    }

    final SplittableRandom random;
    final List<Node> nodes = new ArrayList<>();
    final List<Read> reads = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    /** The share of each replica; a read contacts two of the three. */
    double[] shares = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    /** The node whose clients have gone, if any. */
    int withoutClients = -1;

    boolean guarded = true;
    int contacts = 2;
    /** Whether the coordinator contacts itself first, as with clients that know where their partitions are. */
    boolean selfFirst;
    /** Whether trials are made by copies of reads, as far as there are any. */
    boolean copies = true;

    long moved;
    final long[] sentTo = new long[NODES];
    private final List<Integer> servedBy = new ArrayList<>();
    private final List<Long> servedAt = new ArrayList<>();
    private final VirtualTime time = new VirtualTime();
    private long messages;
    private final double readsPerSecond;

    VirtualReads(double readsPerSecond, long seed) {
        this.readsPerSecond = readsPerSecond;
        this.random = new SplittableRandom(seed);
        for (int i = 0; i < NODES; i++) {
            nodes.add(new Node(i));
        }
        arrive();
        for (Node node : nodes) {
            look(node, 0);
        }
    }

    private ReadGuard.Listener<Integer> listener(int coordinator) {
        return new ReadGuard.Listener<>() {
            @Override
            public void began(Integer replica, String reason) {
                log.add(String.format("%.2f s: %d avoids %d: %s", time.now() / 1e9, coordinator, replica, reason));
            }

            @Override
            public void ended(Integer replica, long afterNanos) {
                log.add(String.format("%.2f s: %d uses %d", time.now() / 1e9, coordinator, replica));
            }
        };
    }

    long now() {
        return time.now();
    }

    void after(long nanos, Runnable action) {
        time.after(nanos, action);
    }

    void runUntil(long instant) {
        time.runUntil(instant);
    }

    private void look(Node node, int count) {
        node.whenRunning(() -> {
            while (!node.copies.isEmpty()) {
                contact(node, node.copies.poll(), new Read(time.now(), node.number));
            }
            if (count % 5 == 0) {
                node.guard.observeLocal(node.tasks(), node.ended, node.endedNanos, 0, time.now());
            }
            node.guard.look(time.now());
        });
        after(ReadGuard.LOOK_NANOS, () -> look(node, count + 1));
    }

    private void arrive() {
        after((long) (-Math.log(1 - random.nextDouble()) / readsPerSecond * 1e9), () -> {
            int coordinator = random.nextInt(NODES);
            if (coordinator != withoutClients) {
                coordinate(nodes.get(coordinator));
            }
            arrive();
        });
    }

    private void coordinate(Node coordinator) {
        Read read = new Read(time.now(), coordinator.number);
        reads.add(read);
        coordinator.whenRunning(() -> {
            int[] drawn = drawn(coordinator.number);
            int[] order = guarded ? guarded(coordinator, drawn) : drawn;
            for (int i = 0; i < contacts; i++) {
                Node replica = nodes.get(order[i]);
                contact(coordinator, replica, read);
                copyBeside(coordinator, replica);
            }
        });
    }

    /** A message to another replica may be copied to one that waits for a trial; nobody waits for the answer. */
    private void copyBeside(Node coordinator, Node replica) {
        Avoided<Integer> avoided = coordinator.guard.avoided();
        if (copies && guarded && coordinator != replica && avoided.awaitsTrial(each -> true, time.now())) {
            Integer tried = avoided.claimTrial(other -> other != replica.number);
            if (tried != null) {
                coordinator.copies.add(nodes.get(tried));
            }
        }
    }

    /** Systematic sampling of two of three, in random order. */
    private int[] drawn(int coordinator) {
        if (selfFirst) {
            int other = 1 + random.nextInt(2);
            return new int[] {coordinator, (coordinator + other) % NODES, (coordinator + NODES - other) % NODES};
        }
        double u = random.nextDouble() * 0.5;
        int first = -1;
        int second = -1;
        double sum = 0;
        for (int i = 0; i < NODES; i++) {
            double next = sum + shares[i];
            if (first < 0 && u < next) {
                first = i;
            }
            if (u + 0.5 >= sum && u + 0.5 < next) {
                second = i;
            }
            sum = next;
        }
        second = second < 0 ? NODES - 1 : second;
        return random.nextBoolean()
                ? new int[] {first, second, NODES - first - second}
                : new int[] {second, first, NODES - first - second};
    }

    private int[] guarded(Node coordinator, int[] order) {
        Avoided<Integer> avoided = coordinator.guard.avoided();
        if (avoided.isEmpty()) {
            return order;
        }
        int[] ranks = new int[NODES];
        for (int i = 0; i < NODES; i++) {
            ranks[i] = avoided.rankOf(order[i], i < contacts);
        }
        int[] places = new int[NODES];
        if (!ReplicaRanks.order(ranks, new int[NODES], places)) {
            return order;
        }
        moved++;
        return Arrays.stream(places).map(place -> order[place]).toArray();
    }

    private void contact(Node coordinator, Node replica, Read read) {
        if (coordinator == replica) {
            replica.serve(() -> answered(read));
            return;
        }
        long id = messages++;
        sentTo[replica.number]++;
        coordinator.guard.sent(replica.number, id, time.now());
        long way = Math.max(coordinator.networkNanos, replica.networkNanos);
        after(
                way,
                () -> replica.whenRunning(() -> replica.serve(() -> after(
                        way,
                        () -> coordinator.whenRunning(() -> {
                            if (replica.tells && replica.guard.isStarved()) {
                                coordinator.guard.saysStarved(replica.number, time.now());
                            }
                            coordinator.guard.answered(replica.number, id, time.now());
                            answered(read);
                        })))));
    }

    private void answered(Read read) {
        if (++read.answers == contacts) {
            read.ended = time.now();
        }
    }

    /** The reads that a node served from an instant on, for any coordinator. */
    long servedSince(int node, int seconds) {
        long count = 0;
        for (int i = 0; i < servedBy.size(); i++) {
            count += servedBy.get(i) == node && servedAt.get(i) >= seconds * SECOND ? 1 : 0;
        }
        return count;
    }

    /** The percentile of the durations of the reads begun in a stretch at other coordinators than the excluded one. */
    double millis(double quantile, double fromSeconds, double toSeconds, int excluded) {
        double[] found = reads.stream()
                .filter(r -> r.begun >= fromSeconds * SECOND && r.begun < toSeconds * SECOND)
                .filter(r -> r.coordinator != excluded)
                .mapToDouble(Read::millis)
                .sorted()
                .toArray();
        return found[(int) Math.min(found.length - 1, quantile * found.length)];
    }
}
