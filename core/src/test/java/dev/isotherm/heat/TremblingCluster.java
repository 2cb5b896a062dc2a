// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One table on a cluster in its steady state, in virtual time, and the plans of one coordinator, node 0. Each read of a
 * node misses by chance, so the moving averages of heats and rates tremble; nothing else changes. Whatever a node tells
 * reaches the coordinator at once. Measures, board, plans and their store are core's own.
 */
final class TremblingCluster {
    private static final long SECOND = 1_000_000_000L;
    private static final long ROUND = SECOND / 5;
    private static final long SMOOTHING = 3 * SECOND;
    private static final int TABLE = 1;
    private static final int VNODES = 16;

    private static final class Node {
        final double misses;
        final CountedHeat counted = CountedHeat.ofMisses(SMOOTHING, 0);
        final CoordinatedReads coordinated = new CoordinatedReads(0);

        Node(double misses) {
            this.misses = misses;
        }
    }

    private static final class Plan extends StoredPlan {
        private final GroupHeats<Integer, Integer> heats;
        private final ReadPlan plan;

        Plan(GroupHeats<Integer, Integer> heats, ReadPlan plan) {
            this.heats = heats;
            this.plan = plan;
        }

        @Override
        protected boolean isCurrent() {
            return heats.areCurrent();
        }

        @Override
        protected long bytes() {
            return plan == null ? 64 : plan.bytes();
        }
    }

    private final SplittableRandom random;
    private final HeatBoard<Integer, Integer> board = new HeatBoard<>(90 * SECOND, BalanceSettings.defaults());
    private final BalanceSettings settings;
    private final Node[] nodes;
    /** For each range of the ring that node 0 has a replica of, the replicas in ring order. */
    private final List<List<Integer>> groups = new ArrayList<>();

    private final int k;
    private final double readsPerSecond;
    private long now;

    final PlanStore<List<Integer>, Plan> plans;
    long reads;
    long built;
    long changes;

    /**
     * @param readsPerSecond that each node coordinates; a client that knows the tokens sends them to a replica
     * @param placement of the plans
     * @param planBytes what all plans together may take
     */
    TremblingCluster(int size, int replicas, double readsPerSecond, Placement placement, long planBytes, long seed) {
        this.random = new SplittableRandom(seed);
        this.k = replicas / 2 + 1;
        this.settings = BalanceSettings.defaults().withPlacement(placement);
        this.readsPerSecond = readsPerSecond;
        this.plans = new PlanStore<>(planBytes, plan -> {});
        this.nodes = new Node[size];
        Arrays.setAll(nodes, node -> new Node(0.1 + 0.2 * random.nextDouble()));
        List<Integer> ring = new ArrayList<>();
        for (int i = 0; i < size * VNODES; i++) {
            ring.add(random.nextInt(i + 1), i % size);
        }
        for (int range = 0; range < ring.size(); range++) {
            List<Integer> group = new ArrayList<>();
            for (int at = range; group.size() < replicas; at++) {
                Integer node = ring.get(at % ring.size());
                if (!group.contains(node)) {
                    group.add(node);
                }
            }
            if (group.contains(0)) {
                groups.add(group);
            }
        }
    }

    /** Runs for some seconds of virtual time and counts anew. */
    void run(int seconds) {
        reads = 0;
        built = 0;
        changes = 0;
        long until = now + seconds * SECOND;
        while (now < until) {
            now += ROUND;
            for (int node = 0; node < nodes.length; node++) {
                tell(node, nodes[node]);
            }
            int arrived = poisson(readsPerSecond * ROUND / SECOND);
            for (int read = 0; read < arrived; read++) {
                read(groups.get(random.nextInt(groups.size())));
            }
            if (now % SECOND == 0) {
                plans.release();
            }
        }
    }

    /** Every node serves k reads for each that it coordinates. */
    private void tell(int number, Node node) {
        int local = poisson(k * readsPerSecond * ROUND / SECOND);
        int missed = 0;
        for (int i = 0; i < local; i++) {
            missed += random.nextDouble() < node.misses ? 1 : 0;
        }
        node.counted.add(missed, local, now);
        node.coordinated.add(poisson(readsPerSecond * ROUND / SECOND), now);
        if (board.report(TABLE, number, node.counted.heat(), node.coordinated.rate(), now)) {
            changes++;
        }
    }

    private void read(List<Integer> group) {
        reads++;
        if (plans.current(group) == null) {
            Integer[] members = group.stream().sorted().toArray(Integer[]::new);
            GroupHeats<Integer, Integer> heats = board.group(TABLE, members, settings.placement(), now);
            int self = Arrays.asList(members).indexOf(0);
            double requests = board.requestsPerSecond(members, now);
            plans.put(
                    group,
                    new Plan(
                            heats,
                            ReadPlan.of(
                                    heats.heats(),
                                    heats.rates(),
                                    heats.standings(),
                                    () -> requests,
                                    k,
                                    self,
                                    settings)));
            built++;
        }
    }

    /** By Knuth's product of uniform numbers. */
    private int poisson(double mean) {
        double product = random.nextDouble();
        int count = 0;
        while (product > Math.exp(-mean)) {
            product *= random.nextDouble();
            count++;
        }
        return count;
    }

    /** The groups that differ in their replicas or their order. */
    int groups() {
        return new HashSet<>(groups).size();
    }

    /** The largest relative difference between a node's miss ratio, which is 0.1 to 0.3, and what it tells. */
    double mostOff() {
        double most = 0;
        for (int node = 0; node < nodes.length; node++) {
            double told = board.heatOf(TABLE, node, now).value();
            most = Math.max(most, Math.abs(told / nodes[node].misses - 1));
        }
        return most;
    }
}
