// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.ChosenPlacement;
import dev.isotherm.heat.DiskPlaces;
import dev.isotherm.heat.DisksOfNodes;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.PlacementCosts;
import dev.isotherm.heat.PlacementVotes;
import dev.isotherm.heat.PublishingRule;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.RoundTrips;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a node's process measures of its heat, tells of it, and knows of others'. */
final class HeatOfNode {
    private static final int ROUNDS_PER_LOOK = 5;
    private static final long STALE_NANOS = 90 * Simulation.SECOND;

    private final int self;
    private final Simulation simulation;
    private final Scenario scenario;
    private final BalanceSettings settings;
    private final SplittableRandom random;
    private final PublishingRule rule = PublishingRule.defaults();
    private HeatMeter meter;
    private HeatBoard<Integer, Integer> board;
    private DisksOfNodes<Integer> disks;
    private Report published;
    private long publishedNanos;
    private Report carried;
    private Report[] sent;
    private long[] sentNanos;
    private int generation;
    private long reports;
    private boolean hasTraffic;
    private int[] heardGenerations;
    private RoundTrips trips;
    private Placement placement;
    /** Null where the nodes do not choose the placement. */
    private ChosenPlacement chosen;

    private int rounds;
    private final IntPredicate avoids;
    private final List<Integer> everyNode;

    /** @param avoids whether the node leaves a replica out of its reads */
    HeatOfNode(int self, Simulation simulation, Scenario scenario, IntPredicate avoids) {
        this.self = self;
        this.avoids = avoids;
        this.everyNode = IntStream.range(0, scenario.nodes).boxed().collect(Collectors.toList());
        this.simulation = simulation;
        this.scenario = scenario;
        this.settings = Node.settings();
        this.random = simulation.split();
    }

    /** A process begins. */
    void begin(int newGeneration) {
        generation = newGeneration;
        hasTraffic = false;
        placement = scenario.placementOf(simulation.policy, self);
        chosen = scenario.isAuto(simulation.policy) ? new ChosenPlacement(placement, simulation.events.now()) : null;
        meter = HeatMeter.of(scenario, random, simulation.events.now());
        board = new HeatBoard<>(STALE_NANOS, settings);
        disks = new DisksOfNodes<>();
        published = new Report(generation, reports++, null, null, null, DiskPlaces.NOT_KNOWN);
        publishedNanos = simulation.events.now();
        carried = null;
        sent = new Report[scenario.nodes];
        sentNanos = new long[scenario.nodes];
        trips = new RoundTrips();
        heardGenerations = new int[scenario.nodes];
    }

    HeatBoard<Integer, Integer> board() {
        return board;
    }

    /** What this node's reads are drawn by. */
    Placement placement() {
        return placement;
    }

    /** A read leaves for another node. */
    void sent(long message) {
        trips.sent(message, simulation.events.now());
    }

    /** The answer of another node is here. */
    void answered(long message) {
        trips.answered(message, simulation.events.now());
    }

    Report published() {
        return published;
    }

    void coordinated() {
        meter.coordinated();
    }

    void served(int partition, int diskReads, long nanos, int underWay) {
        hasTraffic = true;
        meter.served(partition, diskReads, nanos, underWay);
    }

    /** How many reads the disk of each member of a group serves side by side, as far as this node knows. */
    int[] servedAtOnce(Integer[] members) {
        return Arrays.stream(members).mapToInt(disks::of).toArray();
    }

    /** Measures and tells, five times a second. */
    void settle() {
        long now = simulation.events.now();
        meter.settle(now);
        if (scenario.guarded) {
            board.lookWhoIsLeftOut(everyNode, avoids::test, now);
        }
        Heat heat = meter.heat();
        RequestRate rate = meter.rate();
        if (chosen != null && ++rounds % ROUNDS_PER_LOOK == 0) {
            choose(now);
        }
        Placement vote = chosen == null ? null : chosen.vote();
        board.report(HeatOrder.TABLE, self, heat, rate, vote, now);
        int served = meter.servedAtOnce();
        disks.told(self, served);
        if (!board.isWorthTelling(HeatOrder.TABLE, self, hasTraffic, rate)) {
            return;
        }
        long since = now - publishedNanos;
        boolean due = published.vote != vote && rule.mayPublish(since)
                || rule.isDue(published.heat, published.rate, heat, rate, since);
        if (due || carried == null || !carried.saysAsMuchAs(heat, rate, vote, served)) {
            carried = new Report(generation, reports++, heat, rate, vote, served);
        }
        if (due) {
            published = carried;
            publishedNanos = now;
            publish(published);
        }
    }

    private void publish(Report report) {
        if (scenario.gossipDelaySeconds == 0) {
            simulation.gossip.publish(self, report);
            return;
        }
        simulation.events.after((long) (scenario.gossipDelaySeconds * Simulation.SECOND), () -> {
            if (report.generation == generation && !simulation.gossip.isDown(self)) {
                simulation.gossip.publish(self, report);
            }
        });
    }

    /** Whether this node leaves the other out of its reads, or did so lately. */
    boolean leavesOut(int node) {
        return avoids.test(node) || board.isLeftOut(node);
    }

    /** Copies of this node's reads warm a node from now on, or do no more. */
    void warmed(int node, boolean isWarmed) {
        board.warmed(node, isWarmed ? Set.of(HeatOrder.TABLE) : Set.of());
    }

    private boolean isDown(int node) {
        return node != self && !simulation.gossip.isAlive(self, node);
    }

    private void choose(long now) {
        int down = 0;
        PlacementVotes votes = board.votes(HeatOrder.TABLE, node -> true, this::isDown, now);
        for (int node = 0; node < scenario.nodes; node++) {
            down += isDown(node) ? 1 : 0;
        }
        votes.fillUpDownTo(down);
        votes.fillUpTo(scenario.nodes);
        boolean changed =
                chosen.look(votes, meter.seen, costs(now), everyNode.stream().anyMatch(avoids::test), now);
        placement = chosen.inForce();
        if (changed) {
            simulation.observed.placementChanged(self, now);
        }
    }

    private PlacementCosts costs(long now) {
        return PlacementCosts.ifKnown(
                board.contactsPerRequest(HeatOrder.TABLE, meter.localRate(), node -> true, now),
                scenario.replicationFactor,
                meter.seen.missNanos(),
                trips.leastNanos(),
                settings.wanderingFraction());
    }

    /** The report that a response to that coordinator carries; null for none. */
    Report carriedTo(int coordinator) {
        long now = simulation.events.now();
        if (!scenario.piggyback
                || carried == null
                || sent[coordinator] == carried
                || sent[coordinator] != null
                        && now - sentNanos[coordinator] < PublishingRule.LEAST_BETWEEN_CARRIED_NANOS) {
            return null;
        }
        sent[coordinator] = carried;
        sentNanos[coordinator] = now;
        return carried;
    }

    /** Takes another node's report; the first one of a new process says that the node is cold. */
    void hear(int node, Report report) {
        if (node == self) {
            return;
        }
        long now = simulation.events.now();
        if (report.generation > heardGenerations[node]) {
            heardGenerations[node] = report.generation;
            board.restarted(node, now);
            simulation.node(self).restarted(node);
        }
        disks.told(node, report.servedAtOnce);
        if (report.heat != null) {
            board.report(HeatOrder.TABLE, node, report.heat, report.rate, report.vote, now);
        }
    }
}
