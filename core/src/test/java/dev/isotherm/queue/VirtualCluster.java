// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * Nodes that coordinate writes for each other in virtual time: Poisson arrivals at random nodes, each write led by one
 * of the three nodes in a row that hold it, exponential service times, messages with a delay. Answers arrive as on a
 * real network: when they arrive they are out of date.
 */
final class VirtualCluster {
    static final int REPLICAS = 3;

    /**
     * The rule that picks the leader: random as in plain Cassandra, by queues, or by queues weighed by service times.
     */
    enum Rule {
        RANDOM,
        QUEUES,
        WEIGHED_QUEUES
    }

    final int nodes;
    final long[] leaders;
    final long[] deepest;
    private final long[] kinds = new long[DecisionKind.values().length];
    private int questions;
    private int waits;

    private final Rule rule;
    private final double[] serviceNanos;
    private final int servers;
    private final long oneWayNanos;
    private final double perSecond;
    private final SplittableRandom random;
    private final LeaderChoice choice;
    private final DepthEstimator[][] believed;
    private final ServiceWeights[] weights;
    private final SpeedComparison[] comparisons;
    /** The node that coordinates all writes; below 0: each does. */
    private int coordinatesAll = -1;
    /** The number of writes that are always under way; 0: they arrive when they do. */
    private int underWay;

    private final List<Queue<Write>> queues = new ArrayList<>();
    private final int[] serving;
    private final Latencies latencies = new Latencies();
    private int waiting;
    private final VirtualTime time = new VirtualTime();
    private long countFrom;

    private static final class Write {
        final int coordinator;
        final long arrived;

        Write(int coordinator, long arrived) {
            this.coordinator = coordinator;
            this.arrived = arrived;
        }
    }

    /** @param serviceNanos each node's mean time to serve a write; a node serves several writes at a time */
    VirtualCluster(
            Rule rule,
            QueueSettings settings,
            double[] serviceNanos,
            int servers,
            long oneWayNanos,
            double perSecond,
            long seed) {
        this.rule = rule;
        this.nodes = serviceNanos.length;
        this.serviceNanos = serviceNanos.clone();
        this.servers = servers;
        this.oneWayNanos = oneWayNanos;
        this.perSecond = perSecond;
        random = new SplittableRandom(seed);
        choice = new LeaderChoice(settings);
        leaders = new long[nodes];
        deepest = new long[nodes];
        serving = new int[nodes];
        weights = new ServiceWeights[nodes];
        comparisons = new SpeedComparison[nodes];
        believed = new DepthEstimator[nodes][nodes];
        for (int i = 0; i < nodes; i++) {
            queues.add(new ArrayDeque<>());
            weights[i] = new ServiceWeights(servers, 500_000, 10_000_000_000L, 0);
            comparisons[i] = new SpeedComparison(500_000, 10_000_000_000L, 0);
            for (int j = 0; j < nodes; j++) {
                believed[i][j] = new DepthEstimator(settings);
            }
        }
    }

    void changeService(int node, double meanNanos) {
        serviceNanos[node] = meanNanos;
    }

    /** Clients use this node alone as coordinator, whoever the replicas are. */
    VirtualCluster coordinatedBy(int node) {
        coordinatesAll = node;
        return this;
    }

    /** Clients send the next write when one is done, whatever the rate of arrivals. */
    VirtualCluster withUnderWay(int writes) {
        underWay = writes;
        return this;
    }

    /** Runs for the given time after a first part that is not counted; continues where the last run stopped. */
    VirtualCluster run(double uncountedSeconds, double seconds) {
        countFrom = time.now() + (long) (uncountedSeconds * 1e9);
        long end = countFrom + (long) (seconds * 1e9);
        for (int i = 0; time.now() == 0 && i < underWay; i++) {
            begin();
        }
        if (time.isEmpty()) {
            arrive();
        }
        time.runUntil(end);
        return this;
    }

    void forgetCounts() {
        Arrays.fill(leaders, 0);
        Arrays.fill(deepest, 0);
        Arrays.fill(kinds, 0);
        latencies.clear();
        questions = waits = waiting = 0;
    }

    private void after(long nanos, Runnable what) {
        time.after(nanos, what);
    }

    private void arrive() {
        after((long) (-Math.log(1 - random.nextDouble()) * 1e9 / perSecond), this::arrive);
        begin();
    }

    private void begin() {
        int coordinator = coordinatesAll >= 0 ? coordinatesAll : random.nextInt(nodes);
        int first = random.nextInt(nodes);
        if (time.now() >= countFrom) {
            waiting++;
        }
        decide(new Write(coordinator, time.now()), first);
    }

    private void decide(Write write, int firstReplica) {
        int at = write.coordinator;
        boolean replica = Math.floorMod(at - firstReplica, nodes) < REPLICAS;
        int[] nodeOf = new int[REPLICAS];
        DepthEstimator[] candidates = new DepthEstimator[REPLICAS];
        int count = 0;
        for (int i = 0; i < REPLICAS; i++) {
            int node = (firstReplica + i) % nodes;
            if (node == at) {
                continue;
            }
            nodeOf[count] = node;
            candidates[count++] = believed[at][node];
        }
        int n = count;
        if (rule == Rule.RANDOM) {
            int drawn = random.nextInt(REPLICAS);
            lead(write, replica && drawn == n ? at : nodeOf[drawn], DecisionKind.RANDOM);
            return;
        }
        int bits = random.nextInt();
        int depth = replica ? weighed(at, depth(at), serviceNanos[at]) : QueueDepth.UNKNOWN;
        int here = LeaderDecision.of(DecisionKind.LOCAL, LeaderDecision.HERE);
        boolean stays = choice.staysHere(depth, depth(at) < servers);
        int decision = stays ? here : choice.decide(candidates, count, depth, bits, time.now());
        if (rule == Rule.WEIGHED_QUEUES
                && decision == here
                && comparisons[at].claim((long) serviceNanos[at], time.now())) {
            lead(write, nodeOf[random.nextInt(n)], DecisionKind.REDIRECTED);
            return;
        }
        if (!stays) {
            int due = choice.claimQuestions(candidates, count, time.now());
            for (int i = 0; i < n; i++) {
                if ((due >> i & 1) != 0) {
                    ask(at, nodeOf[i]);
                }
            }
        }
        if (decision != LeaderDecision.UNDECIDED) {
            decided(write, decision, nodeOf);
            return;
        }
        if (time.now() >= countFrom) {
            waits++;
        }
        AskRound[] round = new AskRound[1];
        round[0] = new AskRound(
                choice, candidates, n, depth, bits, () -> after(0, () -> decided(write, round[0].decision(), nodeOf)));
        int toAsk = round[0].open(time.now());
        if (round[0].isSettled()) {
            decided(write, round[0].decision(), nodeOf);
            return;
        }
        for (int i = 0; i < n; i++) {
            if ((toAsk >> i & 1) != 0) {
                ask(at, nodeOf[i]);
            }
        }
        after(round[0].deadlineNanos() - time.now(), () -> round[0].timedOut(time.now()));
    }

    private void decided(Write write, int decision, int[] nodeOf) {
        int target = LeaderDecision.target(decision);
        int node = target == LeaderDecision.HERE ? write.coordinator : nodeOf[target];
        lead(write, node, LeaderDecision.kind(decision));
    }

    private void ask(int from, int to) {
        if (time.now() >= countFrom) {
            questions++;
        }
        DepthEstimator peer = believed[from][to];
        long sent = peer.sentCount();
        long asked = time.now();
        after(oneWayNanos, () -> {
            int depth = depth(to);
            double service = serviceNanos[to];
            after(oneWayNanos, () -> peer.answered(heard(from, depth, service), sent, asked, time.now()));
        });
    }

    /** Another node's depth as a node weighs it. */
    private int heard(int by, int depth, double service) {
        comparisons[by].heard((long) service, time.now());
        return weighed(by, depth, service);
    }

    /** A depth as a node weighs it, another node's or its own. */
    private int weighed(int by, int depth, double service) {
        if (rule != Rule.WEIGHED_QUEUES) {
            return depth;
        }
        weights[by].told((long) service, time.now());
        return weights[by].weighed(depth, (long) service, time.now());
    }

    private int depth(int node) {
        return QueueDepth.ofCount(queues.get(node).size() + serving[node]);
    }

    private void lead(Write write, int node, DecisionKind kind) {
        if (time.now() >= countFrom) {
            leaders[node]++;
            kinds[kind.ordinal()]++;
        }
        after(node == write.coordinator ? 0 : oneWayNanos, () -> {
            queues.get(node).add(write);
            serve(node);
            if (time.now() >= countFrom) {
                deepest[node] = Math.max(deepest[node], depth(node));
            }
        });
    }

    private void serve(int node) {
        if (serving[node] == servers || queues.get(node).isEmpty()) {
            return;
        }
        serving[node]++;
        Write write = queues.get(node).poll();
        after((long) (-Math.log(1 - random.nextDouble()) * serviceNanos[node]), () -> {
            serving[node]--;
            serve(node);
            int depth = depth(node);
            double service = serviceNanos[node];
            if (node == write.coordinator) {
                done(write);
            } else {
                after(oneWayNanos, () -> {
                    believed[write.coordinator][node].reported(
                            heard(write.coordinator, depth, service), time.now(), time.now());
                    done(write);
                });
            }
        });
    }

    private void done(Write write) {
        if (underWay > 0) {
            begin();
        }
        if (write.arrived < countFrom) {
            return;
        }
        waiting--;
        latencies.add(time.now() - write.arrived);
    }

    /** As {@link Latencies#millis}, of all writes: some may not be done in the end. */
    double latencyMillis(double quantile) {
        return latencies.millis(quantile, waiting);
    }

    int done() {
        return latencies.count();
    }

    double shareOf(int node) {
        return (double) leaders[node] / Arrays.stream(leaders).sum();
    }

    int questions() {
        return questions;
    }

    /** Decisions that waited for answers. */
    int waits() {
        return waits;
    }

    long decisions(DecisionKind kind) {
        return kinds[kind.ordinal()];
    }

    @Override
    public String toString() {
        StringBuilder each = new StringBuilder();
        for (int i = 0; i < nodes; i++) {
            each.append(String.format(" %.3f/%d", shareOf(i), deepest[i]));
        }
        return String.format(
                "p50 %.1f p99 %.1f p999 %.1f ms, share/deepest%s, kinds %s, waits %d, questions %d, not done %d",
                latencyMillis(.5),
                latencyMillis(.99),
                latencyMillis(.999),
                each,
                Arrays.toString(kinds),
                waits,
                questions,
                waiting);
    }
}
