// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Gossip as Cassandra's: each node exchanges all it knows with one random peer a second. Who has restarted is known by
 * a new generation, and who has stopped cleanly has said so to all.
 */
final class Gossip {
    private static final double ROUND_SECONDS = 1;

    private final Simulation simulation;
    private final Scenario scenario;
    private final SplittableRandom random;
    /** For each node what it knows of each. */
    private final Report[][] known;

    private final int[] generations;
    private final boolean[] down;

    Gossip(Simulation simulation, Scenario scenario, SplittableRandom random) {
        this.simulation = simulation;
        this.scenario = scenario;
        this.random = random;
        known = new Report[scenario.nodes][scenario.nodes];
        generations = new int[scenario.nodes];
        down = new boolean[scenario.nodes];
    }

    void begin() {
        for (int node = 0; node < scenario.nodes; node++) {
            int number = node;
            simulation.events.after((long) (random.nextDouble() * Simulation.SECOND), () -> round(number));
        }
    }

    private void round(int node) {
        simulation.events.after((long) (ROUND_SECONDS * Simulation.SECOND), () -> round(node));
        if (!down[node] && random.nextDouble() >= scenario.gossipLoss) {
            simulation.node(node).whenRunning(() -> exchangeWithAny(node));
        }
    }

    private void exchangeWithAny(int node) {
        int peer = random.nextInt(scenario.nodes);
        if (peer == node || down[peer]) {
            return;
        }
        long wayNanos = simulation.wayNanos(node, peer);
        simulation.events.after(2 * wayNanos, () -> simulation.node(peer).whenRunning(() -> exchange(node, peer)));
    }

    private void exchange(int node, int peer) {
        if (down[node] || down[peer]) {
            return;
        }
        for (int subject = 0; subject < scenario.nodes; subject++) {
            Report first = known[node][subject];
            Report second = known[peer][subject];
            if (first == second) {
                continue;
            }
            if (first != null && first.isNewerThan(second)) {
                learn(peer, subject, first);
            } else {
                learn(node, subject, second);
            }
        }
    }

    private void learn(int node, int subject, Report report) {
        known[node][subject] = report;
        simulation.node(node).hear(subject, report);
    }

    /** The node's own news, from now on part of its exchanges. */
    void publish(int node, Report report) {
        known[node][node] = report;
    }

    /** What a node has heard of another, or null. */
    Report heardOf(int node, int subject) {
        return known[node][subject];
    }

    /** How often the node's process has started. */
    int generation(int node) {
        return generations[node];
    }

    /** Whether a node takes another for living. */
    boolean isAlive(int node, int subject) {
        if (node == subject) {
            return true;
        }
        Report report = known[node][subject];
        return !down[subject] && report != null && report.generation == generations[subject];
    }

    boolean isDown(int node) {
        return down[node];
    }

    void stopped(int node) {
        down[node] = true;
    }

    /** The node has started and asks one living peer for all it knows. */
    void started(int node, Report first) {
        down[node] = false;
        generations[node] = first.generation;
        Arrays.fill(known[node], null);
        known[node][node] = first;
        for (int attempt = 0; attempt < scenario.nodes; attempt++) {
            int peer = random.nextInt(scenario.nodes);
            if (peer != node && !down[peer]) {
                exchange(node, peer);
                return;
            }
        }
    }

    /** All nodes know all, as in a cluster that has run for long. */
    void introduce(Report[] reports) {
        for (int node = 0; node < scenario.nodes; node++) {
            System.arraycopy(reports, 0, known[node], 0, reports.length);
            generations[node] = reports[node].generation;
        }
    }
}
