// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.Placement;
import java.util.EnumSet;
import java.util.List;

/** The scenarios in which the nodes choose the placement themselves, or differ in it. */
final class PlacementScenarios {
    /** By then nodes have chosen, and the trial of what they chose is over. */
    private static final int CHOSEN = 300;
    /** One of so many partitions is read: they fit any cache. */
    private static final int FEW = 32;

    private PlacementScenarios() {}

    static List<Scenario> all() {
        return List.of(
                misses(3),
                misses(12),
                misses(3, HeatSource.CACHE),
                misses(3, HeatSource.READ_TIME),
                allHits(3),
                emptied(3),
                zipf(3),
                begins(3),
                ends(3),
                toAndFro(3),
                late(12),
                oneCold(12, 3),
                oneCold(12, 5),
                oneCold(12, 9),
                downOnTrial(3),
                downOnTrial(12),
                rackCold(12).doesNotKeep(1.05, Promise.BETTER_PLACEMENT),
                halfSpeed(3),
                halfSpeed(12),
                hot(12, 0.02),
                hot(12, 0.18),
                mixed(3),
                mixed(12));
    }

    private static Scenario auto(String name, int nodes) {
        Scenario scenario = new Scenario("placement auto: " + name, nodes);
        scenario.auto = true;
        scenario.eventSecond = CHOSEN;
        scenario.downSecond = CHOSEN;
        scenario.seconds = CHOSEN + 120;
        scenario.guarded = true;
        scenario.policies.addAll(EnumSet.allOf(Policy.class));
        return scenario.promises(Promise.BETTER_PLACEMENT, Promise.NO_FLAPPING);
    }

    private static Scenario misses(int nodes) {
        return auto("caches of two thirds of the rows", nodes);
    }

    private static Scenario misses(int nodes, HeatSource source) {
        Scenario scenario = auto("caches of two thirds of the rows, heat from " + SourceScenarios.words(source), nodes);
        scenario.source = source;
        return scenario;
    }

    private static Scenario allHits(int nodes) {
        Scenario scenario = auto("all hits", nodes);
        scenario.cachedRows = scenario.rowsPerNode;
        scenario.mostChanges = 0;
        return scenario;
    }

    /** All caches fill from nothing, and all will hit: what local itself takes until then is not looked at. */
    private static Scenario emptied(int nodes) {
        Scenario scenario = auto("all caches emptied, and all will hit", nodes);
        scenario.cachedRows = scenario.rowsPerNode;
        scenario.requestsPerNode = 50;
        for (int node = 0; node < nodes; node++) {
            int emptied = node;
            scenario.at(1, simulation -> simulation.emptyCache(emptied));
        }
        scenario.mostChanges = 0;
        return scenario.promisesOnly(Promise.NO_FLAPPING, Promise.TIME_OUTS);
    }

    private static Scenario zipf(int nodes) {
        Scenario scenario = auto("Zipf keys", nodes);
        scenario.zipfExponent = 1;
        scenario.cachedRows = scenario.rowsPerNode / 4;
        return scenario;
    }

    /** At first few partitions are read, then all. */
    private static Scenario begins(int nodes) {
        Scenario scenario = auto("few rows, then all", nodes);
        scenario.stride = FEW;
        scenario.at(200, simulation -> simulation.setStride(1));
        scenario.eventSecond = 600;
        scenario.downSecond = 600;
        scenario.seconds = 720;
        return scenario;
    }

    /** At first all partitions are read, then few. */
    private static Scenario ends(int nodes) {
        Scenario scenario = auto("all rows, then few", nodes);
        scenario.at(CHOSEN, simulation -> simulation.setStride(FEW));
        scenario.eventSecond = 1200;
        scenario.downSecond = 1200;
        scenario.seconds = 1320;
        scenario.mostChanges = 2;
        return scenario;
    }

    /** The load changes for half an hour from one to the other, in the time that a choice takes. */
    private static Scenario toAndFro(int nodes) {
        Scenario scenario = auto("all rows and few in turn, each for 150 s", nodes);
        for (int second = 150; second < 1800; second += 300) {
            scenario.at(second, simulation -> simulation.setStride(FEW))
                    .at(second + 150, simulation -> simulation.setStride(1));
        }
        scenario.eventSecond = 1500;
        scenario.downSecond = 1500;
        scenario.seconds = 1800;
        scenario.mostChanges = 4;
        scenario.policies.retainAll(EnumSet.of(Policy.ISOTHERM, Policy.UNIFORM));
        scenario.promises.remove(Promise.BETTER_PLACEMENT);
        return scenario;
    }

    private static Scenario late(int nodes) {
        Scenario scenario = auto("half of the gossip lost, none on responses", nodes);
        scenario.gossipLoss = 0.5;
        scenario.piggyback = false;
        // Coordinators that have not heard the same draw other replicas for some partitions, more or fewer by chance.
        return scenario.doesNotKeep(Promise.BETTER_PLACEMENT);
    }

    /** A process that has just started finds affinity in force. */
    private static Scenario oneCold(int nodes, int factor) {
        Scenario scenario = auto("one cold node" + (factor == 3 ? "" : ", RF " + factor), nodes);
        scenario.replicationFactor = factor;
        scenario.withReads(200).restarted(nodes - 1, CHOSEN, CHOSEN + 15);
        scenario.downSecond = CHOSEN;
        scenario.eventSecond = CHOSEN + 15;
        scenario.seconds = CHOSEN + 95;
        scenario.cold = new int[] {nodes - 1};
        // Its new process takes over what is in force: a change from the placement that each begins with.
        scenario.mostChanges = 2;
        return scenario.promises(Promise.REJOINING, Promise.FIRST_SECONDS);
    }

    /** One of three replicas is down while affinity, which the nodes have just chosen, is on trial. */
    private static Scenario downOnTrial(int nodes) {
        Scenario scenario = auto("a node is down during the trial", nodes);
        scenario.withReads(200).restarted(nodes - 1, 150, 270);
        scenario.eventSecond = 480;
        scenario.downSecond = 480;
        scenario.seconds = 600;
        // The process that returns takes over what is in force.
        scenario.mostChanges = 2;
        return scenario;
    }

    /** The load is what keeps the disks busy by three quarters under local. */
    private static Scenario rackCold(int nodes) {
        Scenario scenario = auto("a rack back cold, disks at 75 %", nodes);
        scenario.mostChanges = 2;
        return scenario.cooled(CHOSEN, Scenarios.rackOf(nodes))
                .withDiskLoad(0.75, Scenarios.STEADY_MISS_RATIO)
                .promises(Promise.REJOINING);
    }

    /** As without a choice, once affinity is in force: the partition then has two replicas. */
    private static Scenario hot(int nodes, double part) {
        return auto(String.format("one partition with %.0f %%", 100 * part), nodes)
                .hot(CHOSEN, part);
    }

    /** A disk takes twice as long from before the nodes choose, and for good. */
    private static Scenario halfSpeed(int nodes) {
        Scenario scenario = auto("a disk of half the speed", nodes);
        scenario.at(30, simulation -> simulation.node(nodes - 1).disk().setSlowness(2));
        scenario.promises.remove(Promise.LOAD);
        return scenario;
    }

    /** Every second coordinator draws by affinity, the others by local, for good. */
    private static Scenario mixed(int nodes) {
        Scenario scenario = new Scenario("every second coordinator has placement affinity", nodes);
        scenario.mixed = true;
        scenario.placement = Placement.LOCAL;
        scenario.eventSecond = 120;
        scenario.downSecond = 120;
        scenario.seconds = 240;
        scenario.guarded = true;
        scenario.policies.clear();
        scenario.policies.addAll(EnumSet.of(Policy.ISOTHERM, Policy.LOCAL, Policy.AFFINITY, Policy.UNIFORM));
        return scenario;
    }
}
