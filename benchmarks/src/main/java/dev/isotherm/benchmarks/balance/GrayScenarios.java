// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.Placement;

/** The scenarios in which a node is neither well nor dead, and the guard is on. */
final class GrayScenarios {
    private static final int BEGIN = 30;
    private static final int END = 60;
    /** Each node has its own partitions in its cache by then. */
    private static final int SETTLED = 100;

    private GrayScenarios() {}

    private static Scenario gray(String name, int nodes) {
        Scenario scenario = new Scenario(name, nodes);
        scenario.guarded = true;
        scenario.eventSecond = BEGIN;
        scenario.seconds = 80;
        return scenario.promisesOnly(Promise.LATENCY, Promise.TIME_OUTS);
    }

    static Scenario slowDisks(int nodes, int count) {
        Scenario scenario = gray("disks of " + count + " take 20 times as long", nodes);
        for (int i = nodes - count; i < nodes; i++) {
            int slow = i;
            scenario.at(BEGIN, simulation -> simulation.node(slow).disk().setSlowness(20))
                    .at(END, simulation -> simulation.node(slow).disk().setSlowness(1));
        }
        return scenario;
    }

    static Scenario hungDisk(int nodes) {
        return gray("one disk answers nothing", nodes)
                .at(BEGIN, simulation -> simulation.node(nodes - 1).disk().setSlowness(0))
                .at(END, simulation -> simulation.node(nodes - 1).disk().setSlowness(1));
    }

    /** The disks of the others can just serve what the last node does not: which of them is avoided, too, is chance. */
    private static Scenario besideBusyDisks(String name, int nodes) {
        Scenario scenario = gray(name + ", the other disks at 94 %, affinity", nodes);
        scenario.placement = Placement.AFFINITY;
        scenario.requestsPerNode = 150;
        scenario.eventSecond = SETTLED;
        scenario.seconds = SETTLED + 50;
        return scenario;
    }

    static Scenario slowDiskBesideBusyOnes(int nodes) {
        return besideBusyDisks("a disk takes 20 times as long", nodes)
                .at(SETTLED, simulation -> simulation.node(nodes - 1).disk().setSlowness(20))
                .at(
                        SETTLED + 30,
                        simulation -> simulation.node(nodes - 1).disk().setSlowness(1));
    }

    /** Its process runs for a tenth of each tenth of a second; no client uses it. */
    static Scenario starvedBesideBusyDisks(int nodes) {
        Scenario scenario = besideBusyDisks("a node runs a tenth of the time", nodes);
        scenario.withoutClients = new int[] {nodes - 1};
        return scenario.pauses(nodes - 1, SETTLED, SETTLED + 30, 0.1, 0.09);
    }

    static Scenario lateMessages(int nodes) {
        return gray("messages of one node 100 ms late", nodes)
                .at(BEGIN, simulation -> simulation.node(nodes - 1).setLate(Simulation.SECOND / 10))
                .at(END, simulation -> simulation.node(nodes - 1).setLate(0));
    }

    /** They are 1 ms late, by a quarter more each second, and 100 ms in the end, as in the lab. */
    static Scenario creepingMessages(int nodes) {
        Scenario scenario = gray("messages of one node later by a quarter each second, to 100 ms", nodes);
        for (int second = 0; second < END - BEGIN; second++) {
            long late = (long) Math.min(Simulation.SECOND / 10, Simulation.SECOND / 1000 * Math.pow(1.25, second));
            scenario.at(BEGIN + second, simulation -> simulation.node(nodes - 1).setLate(late));
        }
        return scenario.at(END, simulation -> simulation.node(nodes - 1).setLate(0));
    }

    /** One node stands still for 0.3 s every 2 s, as in the lab. */
    static Scenario pausing(int nodes) {
        Scenario scenario = gray("one node pauses for 0.3 s each 2 s, with the guard", nodes);
        scenario.pauses(nodes - 1, BEGIN, END, 2, 0.3);
        // Each coordinator meets a pause or two before copies do: by latency none goes back to the node.
        return nodes > 3 ? scenario.doesNotKeep(1.1, Promise.STOCK) : scenario;
    }

    /** Every node stands still now and then, one after the other, as for its garbage. */
    static Scenario allPausing(int nodes, double every, double lasts) {
        Scenario scenario =
                gray(String.format("all nodes pause for %.1f s each %.0f s, with the guard", lasts, every), nodes);
        return scenario.allPause(scenario.seconds, every, lasts);
    }

    /** A disk takes 20 times as long for half a minute: how long until its node has its share of the reads again. */
    static Scenario healed(int nodes, HeatSource source) {
        Scenario scenario = gray("a disk heals, heat from " + SourceScenarios.words(source), nodes);
        heals(scenario, source, BEGIN);
        scenario.seconds = END + 110;
        return scenario.promisesOnly(Promise.REJOINING);
    }

    /** The same under affinity, when each node has its own partitions in its cache; the others cache them meanwhile. */
    static Scenario healedUnderAffinity(int nodes, HeatSource source) {
        Scenario scenario = gray("a disk heals, affinity, heat from " + SourceScenarios.words(source), nodes);
        scenario.placement = Placement.AFFINITY;
        heals(scenario, source, SETTLED);
        scenario.seconds = scenario.eventSecond + 60;
        return scenario.promisesOnly(Promise.LATENCY, Promise.TIME_OUTS, Promise.REJOINING);
    }

    /** The disk of the last node is slow from this second on for as long as the faults last; the event is its end. */
    private static void heals(Scenario scenario, HeatSource source, int begin) {
        int healed = scenario.nodes - 1;
        int end = begin + END - BEGIN;
        scenario.at(begin, simulation -> simulation.node(healed).disk().setSlowness(20))
                .at(end, simulation -> simulation.node(healed).disk().setSlowness(1));
        scenario.source = source;
        scenario.eventSecond = end;
        scenario.downSecond = begin;
        scenario.cold = new int[] {healed};
    }
}
