// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import dev.isotherm.limit.PartitionId;
import dev.isotherm.limit.PartitionLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One run of a scenario in virtual time, from idle limiters on. Equal seeds give exactly equal runs. */
final class Simulation {
    private static final long SECOND = 1_000_000_000;
    /** A server's memory; for a single partition a small memory is enough and lets a run start fast. */
    private static final long SERVER_BYTES = 2 << 20;

    private static final int SERVER_LEDGER_SLOTS = 1 << 16;
    private static final long SMALL_BYTES = 1 << 14;
    private static final int SMALL_LEDGER_SLOTS = 8;
    /** The time for which the other partitions have been busy at the first operation on the limited partition. */
    private static final long CROWD_AHEAD_NANOS = SECOND;

    /** Makes a node's limiter. */
    interface Limiters {
        PartitionLimiter limiter(long bytes, long hashSeed);
    }

    private final Scenario scenario;
    private final Limiters limiters;
    private final Timeline timeline = new Timeline();
    private final SplittableRandom random;
    private final Network network;
    private final Node[] nodes;
    private final List<Crowd> crowds = new ArrayList<>();
    private final long partition;
    private final int contacts;
    private final int needed;
    private long start;
    private Tally tally;

    Simulation(Scenario scenario, long seed) {
        this(scenario, seed, scenario.counter::limiter);
    }

    /** A simulation with other limiters than core's. */
    Simulation(Scenario scenario, long seed, Limiters limiters) {
        this.scenario = scenario;
        this.limiters = limiters;
        random = new SplittableRandom(seed);
        network = new Network(random.split());
        nodes = new Node[scenario.replicas()];
        contacts = scenario.kind.contacts(nodes.length);
        needed = scenario.kind.needed(nodes.length);
        partition = PartitionId.of(random.nextLong(), random.nextLong(), scenario.kind.operation, random.nextLong());
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = node(i);
        }
        for (Node node : nodes) {
            node.meet(others(node));
        }
    }

    private Node node(int number) {
        // A monotonic clock starts at any value; a wall clock shows approximately the time.
        long offset = scenario.counter == Counter.DEFAULT
                ? random.nextLong(1L << 50)
                : 1_700_000_000L * SECOND + number * scenario.clockSpreadNanos() / (nodes.length - 1);
        boolean isBusy = scenario.crowdPerSecond() > 0;
        return new Node(
                timeline,
                network,
                limiters.limiter(isBusy ? SERVER_BYTES : SMALL_BYTES, random.nextLong()),
                isBusy ? SERVER_LEDGER_SLOTS : SMALL_LEDGER_SLOTS,
                offset);
    }

    private Node[] others(Node node) {
        List<Node> others = new ArrayList<>(List.of(nodes));
        others.remove(node);
        return others.toArray(new Node[0]);
    }

    /** Runs for this many seconds from the first operation on, which arrives at a random phase of a clock's second. */
    Tally run(int seconds) {
        if (tally != null) {
            throw new IllegalStateException("a simulation runs once");
        }
        tally = new Tally(seconds);
        long begin = random.nextLong(SECOND);
        start = begin;
        if (scenario.crowdPerSecond() > 0) {
            start += CROWD_AHEAD_NANOS;
            for (Node node : nodes) {
                crowds.add(new Crowd(scenario, node, begin, random.split()));
            }
        }
        double meanGap = SECOND / scenario.offeredPerSecond();
        double at = start;
        long end = start + seconds * SECOND;
        arriveAtOnce();
        for (long number = 0; at < end; number++, at += scenario.arrivals.gap(meanGap, random)) {
            advance((long) at);
            arrive(number);
        }
        // The operations still in progress are decided too.
        advance(end + SECOND);
        return tally;
    }

    private void arriveAtOnce() {
        long operations = Math.round(scenario.burst() * scenario.limit) * nodes.length;
        if (operations > 0) {
            advance(start);
        }
        for (long number = 0; number < operations; number++) {
            arrive(number);
        }
    }

    /** Runs all events up to that instant. */
    private void advance(long nanos) {
        while (true) {
            Crowd first = null;
            for (Crowd crowd : crowds) {
                if (first == null || crowd.nextNanos() < first.nextNanos()) {
                    first = crowd;
                }
            }
            if (first == null || first.nextNanos() > nanos) {
                break;
            }
            timeline.advance(first.nextNanos());
            first.arrive();
        }
        timeline.advance(nanos);
    }

    private void arrive(long number) {
        long bits = random.nextLong();
        int coordinator = scenario.entry() == Entry.ONE_REPLICA
                ? 0
                : scenario.arrivals.coordinator(number, (int) (bits >>> 32), nodes.length);
        if (scenario.entry() == Entry.NO_REPLICA) {
            ask(coordinator, (int) bits);
        } else {
            tally.count(second(), nodes[coordinator].coordinate(partition, scenario.limit, (int) bits));
        }
    }

    /**
     * Sends the operation to this replica and the following ones; the operation counts in the second of its arrival.
     */
    private void ask(int first, int random) {
        int second = second();
        boolean isEachAsked = contacts == nodes.length;
        double share = isEachAsked ? 1 : 1.0 / contacts;
        int[] answers = new int[2];
        for (int i = 0; i < contacts; i++) {
            Node replica = nodes[(first + i) % nodes.length];
            timeline.at(timeline.now() + network.delayNanos(), () -> {
                if (replica.decide(partition, scenario.limit, share, !isEachAsked, random)) {
                    answers[1]++;
                }
                if (++answers[0] < contacts) {
                    return;
                }
                tally.count(second, answers[1] >= needed);
                tally.countReplicas(contacts, answers[1]);
            });
        }
    }

    private int second() {
        return (int) ((timeline.now() - start) / SECOND);
    }

    List<Crowd> crowds() {
        return crowds;
    }

    Node[] nodes() {
        return nodes;
    }
}
