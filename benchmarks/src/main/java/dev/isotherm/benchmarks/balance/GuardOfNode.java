// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.benchmarks.guard.Unheard;
import dev.isotherm.guard.Avoided;
import dev.isotherm.guard.GuardSettings;
import dev.isotherm.guard.ReadGuard;
import dev.isotherm.guard.ReplicaRanks;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The guard of one process's reads. */
final class GuardOfNode {
    private static final int LOOKS_PER_OBSERVATION = 5;

    private final Node node;
    private final Simulation simulation;
    private final ReadGuard<Integer> guard;
    private final int generation;
    private long reads;
    private long readNanos;

    GuardOfNode(Node node, Simulation simulation) {
        this.node = node;
        this.simulation = simulation;
        this.generation = node.generation();
        guard = new ReadGuard<>(
                GuardSettings.defaults(),
                node.number,
                () -> Simulation.TIMEOUT_NANOS,
                () -> Simulation.TIMEOUT_NANOS,
                other -> simulation.gossip.isAlive(node.number, other)
                        && simulation.scenario.areNear(node.number, other),
                new Unheard<>(),
                simulation.events.now());
        look(0);
    }

    private void look(int count) {
        if (generation != node.generation()) {
            return;
        }
        node.whenRunning(() -> {
            if (count % LOOKS_PER_OBSERVATION == 0) {
                guard.observeLocal(node.readTasks(), reads, readNanos, 0, node.now());
            }
            guard.look(node.now());
        });
        simulation.events.after(ReadGuard.LOOK_NANOS, () -> look(count + 1));
    }

    void sent(int replica, long id) {
        guard.sent(replica, id, node.now());
    }

    void answered(int replica, long id) {
        guard.answered(replica, id, node.now());
    }

    void served(long nanos) {
        reads++;
        readNanos += nanos;
    }

    void restarted(int replica) {
        guard.restarted(replica);
    }

    /** Whether this node's reads avoid the replica. */
    boolean isAvoided(int replica) {
        Avoided<Integer> avoided = guard.avoided();
        return !avoided.isEmpty() && avoided.rankOf(replica, false) != ReplicaRanks.USED;
    }

    /** Moves avoided replicas behind the others. */
    void reorder(int[] order, int contacts) {
        Avoided<Integer> avoided = guard.avoided();
        if (avoided.isEmpty()) {
            return;
        }
        int[] ranks = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            ranks[i] = avoided.rankOf(order[i], i < contacts);
        }
        reorder(order, ranks, other -> !simulation.scenario.areNear(node.number, other));
    }

    /** Orders replicas by rank, where those that are far pass none that is near and late now and then. */
    static void reorder(int[] order, int[] ranks, IntPredicate isFar) {
        int[] ties = new int[order.length];
        ReplicaRanks.keepFarBehind(ranks, ties, place -> isFar.test(order[place]));
        int[] places = new int[order.length];
        if (ReplicaRanks.order(ranks, ties, places)) {
            int[] old = order.clone();
            Arrays.setAll(order, i -> old[places[i]]);
        }
    }

    /** A message to another replica may be copied to one that waits for a trial; nobody waits for the answer. */
    void copyBeside(Request request, int contacted, int[] living) {
        Avoided<Integer> avoided = guard.avoided();
        if (!avoided.awaitsTrial(replica -> true, node.now())) {
            return;
        }
        Integer tried = avoided.claimTrial(
                other -> other != contacted && Arrays.stream(living).anyMatch(l -> l == other));
        if (tried != null) {
            node.contact(new Request(request.partition, 0, node.now(), simulation.observed), tried);
        }
    }
}
