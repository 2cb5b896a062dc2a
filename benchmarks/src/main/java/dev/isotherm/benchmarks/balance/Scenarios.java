// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.Placement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The scenarios. Where nothing else is said each node has the load, cache and disk of the lab's cold restart: 100
 * requests a second at QUORUM, two thirds of its rows cached, a disk that serves two reads at a time in 11 ms each.
 */
final class Scenarios {
    static final int DOWN = 30;
    private static final int UP = 45;
    /** The part of its reads that a node misses in the steady state: what is not cached. */
    static final double STEADY_MISS_RATIO = 0.36;

    private Scenarios() {}

    /** All of them; the ones that take longest first. */
    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        all.add(oneCold(999));
        all.addAll(ProcessorScenarios.ofManyNodes());
        for (int nodes : new int[] {99, 12, 3}) {
            all.add(oneCold(nodes));
            all.add(coldWithoutClients(nodes));
            all.add(nothingMissed(nodes));
            all.add(steady(nodes, "nothing happens"));
            all.add(secondFails(nodes));
            all.add(allRestarted(nodes));
        }
        all.add(asInTheLab("make demo", 13, 3657, 200, new LabRun(24.5, 94, 89)));
        all.add(asInTheLab("cold-restart --size exceeds", 18, 6400, 200, new LabRun(45.5, 86, 91)));
        all.add(fitsAsInTheLab());
        all.add(pageCacheAsInTheLab());
        all.add(rollingRestart(99, 10));
        all.add(rollingRestart(12, 2));
        all.add(HotPartitionScenarios.atQuorum(99, 0.02));
        all.addAll(ProcessorScenarios.ofFewNodes());
        all.add(disks(12, 0.75));
        all.add(disks(12, 0.79));
        all.add(disks(99, 0.75));
        all.add(disks(3, 0.75));
        all.add(rackOnDisks(12, 0.75));
        all.add(rackOnDisks(99, 0.75));
        all.add(allCold(12));
        all.add(replicationFactor(5));
        all.add(replicationFactor(9));
        all.add(affinity(12));
        all.add(byReadTime(12));
        all.add(zipf(99));
        all.add(zipf(12));
        all.add(zipf(3));
        all.add(HotPartitionScenarios.atQuorum(12, 0.02));
        all.add(HotPartitionScenarios.atQuorum(12, 0.18));
        all.add(HotPartitionScenarios.atOne(3, 0.3));
        all.add(HotPartitionScenarios.atOne(12, 0.05));
        all.add(HotPartitionScenarios.atOne(12, 0.3));
        for (HeatSource source : HeatSource.values()) {
            all.add(SourceScenarios.pauses(3, source, 10, 0.2));
            all.add(SourceScenarios.pauses(3, source, 20, 0.4));
        }
        all.add(SourceScenarios.pauses(12, HeatSource.DISK, 10, 0.2));
        all.add(SourceScenarios.pauses(12, HeatSource.DISK, 20, 0.4));
        all.add(fewReads(12));
        all.add(lostHeat(12));
        all.add(lateHeat(12));
        all.add(GrayScenarios.slowDisks(12, 1));
        all.add(GrayScenarios.slowDisks(12, 2));
        all.add(GrayScenarios.slowDisks(12, 4));
        all.add(GrayScenarios.hungDisk(12));
        all.add(GrayScenarios.slowDisks(3, 1));
        all.add(GrayScenarios.hungDisk(3));
        all.add(GrayScenarios.slowDiskBesideBusyOnes(3));
        all.add(GrayScenarios.starvedBesideBusyDisks(3));
        for (int nodes : new int[] {12, 3}) {
            all.add(GrayScenarios.lateMessages(nodes));
            all.add(GrayScenarios.creepingMessages(nodes));
            all.add(GrayScenarios.pausing(nodes));
            all.add(GrayScenarios.allPausing(nodes, 10, 0.2));
            all.add(GrayScenarios.allPausing(nodes, 20, 0.4));
        }
        for (HeatSource source : HeatSource.values()) {
            all.add(GrayScenarios.healed(3, source));
            all.add(GrayScenarios.healedUnderAffinity(3, source));
            all.add(SourceScenarios.busyDisks(source, 0.7));
        }
        all.add(flapping(12));
        all.add(flapping(3));
        all.addAll(RowCacheScenarios.all());
        all.addAll(PlacementScenarios.all());
        all.addAll(DatacenterScenarios.of(12));
        all.addAll(DatacenterScenarios.of(24));
        return all;
    }

    static Scenario coldReturn(String name, int nodes, int... cold) {
        Scenario scenario = new Scenario(name, nodes);
        for (int node : cold) {
            scenario.restarted(node, DOWN, UP);
        }
        scenario.downSecond = DOWN;
        scenario.eventSecond = UP;
        scenario.seconds = 125;
        scenario.cold = cold;
        scenario.guarded = nodes <= 12;
        return scenario.promises(Promise.REJOINING, Promise.FIRST_SECONDS);
    }

    static Scenario oneCold(int nodes) {
        Scenario scenario = coldReturn("one cold node", nodes, nodes - 1);
        if (nodes > 99) {
            scenario.policies.remove(Policy.SHUNNING);
        }
        return scenario;
    }

    /** The cold restart of the lab: of what it measured, how long the node is down is known to a second or two. */
    private static Scenario asInTheLab(String name, int down, int rows, double readsPerNode, LabRun measured) {
        Scenario scenario = coldReturn("as in the lab: " + name, 3, 2);
        scenario.steps.clear();
        scenario.restarted(2, UP - down, UP);
        scenario.downSecond = UP - down;
        scenario.rowsPerNode = rows;
        scenario.cachedRows = (int) (rows * (1 - STEADY_MISS_RATIO));
        scenario.requestsPerNode = readsPerNode / 2;
        scenario.measured = measured;
        scenario.source = HeatSource.CACHE;
        scenario.runs = 7;
        scenario.seconds = UP + 110;
        scenario.policies.retainAll(EnumSet.of(Policy.ISOTHERM, Policy.UNIFORM));
        return scenario.promisesOnly(Promise.MODEL);
    }

    private static Scenario fitsAsInTheLab() {
        Scenario scenario =
                asInTheLab("cold-restart --size fits", 18, 600, 400.0 / 3, new LabRun(14.5, Double.NaN, Double.NaN));
        scenario.cachedRows = scenario.rowsPerNode;
        return scenario;
    }

    private static Scenario pageCacheAsInTheLab() {
        Scenario scenario = asInTheLab(
                "cold-restart --storage page-cache --size exceeds",
                18,
                3000,
                100,
                new LabRun(43.5, 73 / 4.0, 212 / 4.0));
        scenario.cachedRows = (int) (scenario.rowsPerNode * 0.87);
        scenario.source = HeatSource.DISK;
        scenario.diskNanos = 8_000_000;
        scenario.diskReadsPerMiss = 4;
        // On a cold node of the lab the first four hundred rows took 4.4 to 4.6 reads each.
        scenario.indexReads = 100;
        return scenario;
    }

    private static Scenario coldWithoutClients(int nodes) {
        Scenario scenario = coldReturn("cold node that no client uses as coordinator", nodes, nodes - 1);
        scenario.withoutClients = new int[] {nodes - 1};
        return nodes > 3 ? scenario : scenario.doesNotKeep(Promise.FIRST_SECONDS, Promise.STOCK);
    }

    /** As the lab's size `fits`: so few rows that a cold node that gets hardly any reads warms in a minute. */
    private static Scenario nothingMissed(int nodes) {
        Scenario scenario = coldReturn("warm nodes that miss nothing", nodes, nodes - 1);
        scenario.requestsPerNode = 200.0 / 3;
        scenario.rowsPerNode = 2400;
        scenario.cachedRows = 2400;
        // By latency hardly any read goes to the cold node, which stays cold. Of 12 and 99, one does not show.
        return nodes > 3 ? scenario : scenario.doesNotKeep(5.6, Promise.STOCK);
    }

    static Scenario cooledAtOnce(String name, int nodes, int... cold) {
        Scenario scenario = new Scenario(name, nodes);
        scenario.cooled(DOWN, cold);
        scenario.eventSecond = DOWN;
        scenario.seconds = 110;
        scenario.guarded = nodes <= 12;
        return scenario;
    }

    static int[] rackOf(int nodes) {
        return IntStream.range(0, nodes).filter(node -> node % 3 == 2).toArray();
    }

    private static Scenario rackOnDisks(int nodes, double load) {
        Scenario scenario = cooledAtOnce(
                        String.format("a rack back cold, disks at %.0f %%", 100 * load), nodes, rackOf(nodes))
                .withDiskLoad(load, STEADY_MISS_RATIO)
                .promises(Promise.REJOINING);
        // That by latency reads from the two other racks alone, and the third stays cold. Of 99 nodes none has a guard.
        return nodes > 12 ? scenario.doesNotKeep(1.95, Promise.STOCK) : scenario;
    }

    private static Scenario disks(int nodes, double load) {
        return coldReturn(String.format("disks at %.0f %%", 100 * load), nodes, nodes - 1)
                .withDiskLoad(load, STEADY_MISS_RATIO);
    }

    private static Scenario rollingRestart(int nodes, int restarted) {
        Scenario scenario = new Scenario("rolling restart of " + restarted, nodes);
        for (int i = 0; i < restarted; i++) {
            scenario.restarted(nodes - 1 - i, DOWN + 25 * i, DOWN + 25 * i + 15);
        }
        scenario.eventSecond = DOWN;
        scenario.cold = IntStream.range(nodes - restarted, nodes).toArray();
        scenario.lastReturnSecond = DOWN + 25 * (restarted - 1) + 15;
        scenario.seconds = DOWN + 25 * restarted + 70;
        scenario.guarded = nodes <= 12;
        return scenario.promises(Promise.REJOINING);
    }

    /** All restart at once, cold, and have forgotten what they knew of each other. */
    private static Scenario allRestarted(int nodes) {
        // All disks are busy to the limit for ten seconds, and nobody knows yet what a read costs whom.
        Scenario scenario = cooledAtOnce(
                "all nodes back cold", nodes, IntStream.range(0, nodes).toArray());
        return nodes > 3
                ? scenario.doesNotKeep(1.35, Promise.STOCK)
                : scenario.doesNotKeep(Promise.LATENCY).doesNotKeep(1.5, Promise.STOCK);
    }

    private static Scenario allCold(int nodes) {
        Scenario scenario = new Scenario("all caches emptied", nodes);
        for (int node = 0; node < nodes; node++) {
            int emptied = node;
            scenario.at(DOWN, simulation -> simulation.emptyCache(emptied));
        }
        scenario.eventSecond = DOWN;
        // All disks are busy to the limit for ten seconds: p99 is a matter of chance, by the seed.
        return scenario.doesNotKeep(Promise.STOCK);
    }

    static Scenario secondFails(int nodes) {
        Scenario scenario = coldReturn("a second node fails while the first warms", nodes, nodes - 1);
        scenario.restarted(nodes - 2, UP + 10, UP + 25);
        scenario.seconds = 170;
        scenario.promisesOnly(Promise.LATENCY, Promise.TIME_OUTS, Promise.LOAD);
        return nodes > 3 ? scenario : scenario.doesNotKeep(2, Promise.LATENCY, Promise.STOCK);
    }

    private static Scenario replicationFactor(int factor) {
        Scenario scenario = coldReturn("one cold node, RF " + factor, 12, 11);
        scenario.replicationFactor = factor;
        scenario.withReads(200);
        // Random draws by local keep more of the partitions in more of the caches than a fixed order.
        return factor > 5 ? scenario.doesNotKeep(1.5, Promise.STOCK) : scenario;
    }

    private static Scenario affinity(int nodes) {
        Scenario scenario = coldReturn("one cold node, affinity", nodes, nodes - 1);
        scenario.placement = Placement.AFFINITY;
        return scenario;
    }

    private static Scenario byReadTime(int nodes) {
        Scenario scenario = coldReturn("one cold node, heat from read times", nodes, nodes - 1);
        scenario.source = HeatSource.READ_TIME;
        return scenario;
    }

    private static Scenario zipf(int nodes) {
        Scenario scenario = coldReturn("Zipf keys", nodes, nodes - 1);
        scenario.zipfExponent = 1;
        scenario.cachedRows = scenario.rowsPerNode / 4;
        // Whether a node's share of the reads is within that of the others is chance, by the seed.
        return nodes == 12 ? scenario : scenario.doesNotKeep(Double.POSITIVE_INFINITY, Promise.REJOINING);
    }

    static Scenario steady(int nodes, String name) {
        Scenario scenario = new Scenario(name, nodes);
        scenario.eventSecond = nodes > 12 ? 120 : 320;
        scenario.downSecond = scenario.eventSecond;
        scenario.seconds = scenario.eventSecond + 20;
        scenario.guarded = nodes <= 12;
        return scenario.promises(Promise.EVEN_SHARES, Promise.REBUILDS);
    }

    private static Scenario fewReads(int nodes) {
        Scenario scenario = steady(nodes, "nothing happens");
        Scenario few = new Scenario("a table with few reads", nodes);
        few.requestsPerNode = 2;
        few.eventSecond = scenario.eventSecond;
        few.downSecond = scenario.downSecond;
        few.seconds = scenario.seconds;
        return few.promises(Promise.EVEN_SHARES);
    }

    private static Scenario lostHeat(int nodes) {
        Scenario scenario = coldReturn("one cold node, half of the gossip lost, none on responses", nodes, nodes - 1);
        scenario.gossipLoss = 0.5;
        scenario.piggyback = false;
        return scenario;
    }

    private static Scenario lateHeat(int nodes) {
        Scenario scenario = coldReturn("one cold node, heat told 5 s late", nodes, nodes - 1);
        scenario.gossipDelaySeconds = 5;
        scenario.piggyback = false;
        return scenario;
    }

    private static Scenario flapping(int nodes) {
        Scenario scenario = new Scenario("one node flaps", nodes);
        for (int i = 0; i < 5; i++) {
            scenario.restarted(nodes - 1, DOWN + 15 * i, DOWN + 15 * i + 5);
        }
        scenario.eventSecond = DOWN + 5;
        scenario.seconds = DOWN + 15 * 5 + 20;
        scenario.cold = new int[] {nodes - 1};
        scenario.guarded = true;
        // A node that serves no reads loses none when it stops.
        return nodes > 3 ? scenario : scenario.doesNotKeep(Promise.STOCK);
    }
}
