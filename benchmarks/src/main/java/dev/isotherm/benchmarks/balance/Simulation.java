// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.Placement;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/** One run of a scenario under one policy. Equal seeds give exactly equal runs, and all policies equal requests. */
final class Simulation {
    static final long SECOND = 1_000_000_000;
    static final long TIMEOUT_NANOS = 5 * SECOND;
    private static final long ROUND_NANOS = SECOND / 5;
    private static final long LEAST_WAY_NANOS = 100_000;
    private static final double MORE_WAY_NANOS = 100_000;
    /** Clients use a node again that long after it is up. */
    private static final long CLIENTS_RETURN_NANOS = SECOND;

    final Scenario scenario;
    final Policy policy;
    final Events events = new Events();
    final Ring ring;
    final Gossip gossip;
    final Observations observed;
    private final Popularity popularity;
    private final SplittableRandom arrivals;
    private final SplittableRandom random;
    private final Map<Placement, PlanMemo> plans = new EnumMap<>(Placement.class);
    private final Node[] nodes;
    private final boolean[] clientsUse;
    private long messages;

    Simulation(Scenario scenario, Policy policy, long seed) {
        this.scenario = scenario;
        this.policy = policy;
        SplittableRandom seeds = new SplittableRandom(seed);
        SplittableRandom layout = seeds.split();
        arrivals = seeds.split();
        random = seeds.split();
        ring = new Ring(
                scenario.nodes,
                scenario.datacenters,
                scenario.vnodes,
                scenario.replicationFactor,
                scenario.rowsPerNode,
                layout.split());
        popularity = new Popularity(ring.partitions(), scenario.zipfExponent, layout.split());
        popularity.setHotFraction(scenario.hotFraction);
        popularity.setStride(scenario.stride);
        observed = new Observations(scenario.nodes, scenario.seconds, scenario.diskReadsPerMiss);
        for (Placement placement : Placement.values()) {
            plans.put(placement, new PlanMemo(Node.settings().withPlacement(placement)));
        }
        gossip = new Gossip(this, scenario, random.split());
        nodes = new Node[scenario.nodes];
        clientsUse = new boolean[scenario.nodes];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new Node(i, this, scenario, ring.rowsOf(i));
            clientsUse[i] = true;
        }
        for (int node : scenario.withoutClients) {
            clientsUse[node] = false;
        }
        fillCaches(layout.split());
        gossip.introduce(Arrays.stream(nodes).map(n -> n.heat().published()).toArray(Report[]::new));
        for (int node = 0; node < nodes.length; node++) {
            for (int subject = 0; subject < nodes.length; subject++) {
                nodes[node].hear(subject, nodes[subject].heat().published());
            }
        }
    }

    /** Every cache holds what it would hold after many reads. */
    private void fillCaches(SplittableRandom source) {
        for (long i = 0; i < 3L * ring.partitions(); i++) {
            int partition = i < ring.partitions() ? (int) i : popularity.draw(source);
            int[] replicas = ring.replicasOf(ring.rangeOf(partition));
            for (int place = 0; place < replicas.length; place++) {
                nodes[replicas[place]].rows().put(ring.rowOf(partition, place));
            }
        }
    }

    /** Runs to the end of the scenario. */
    Simulation run(Progress progress) {
        gossip.begin();
        for (Node node : nodes) {
            events.after((long) (random.nextDouble() * ROUND_NANOS), () -> round(node));
        }
        for (Scenario.Step step : scenario.steps) {
            events.at((long) (step.second * SECOND), () -> step.action.accept(this));
        }
        arrive();
        for (int second = 1; second <= scenario.seconds; second++) {
            events.runUntil(second * SECOND);
            progress.reached(this, second);
        }
        // The requests still in progress are answered or time out.
        arrivalsEnd = true;
        events.runUntil(scenario.seconds * SECOND + TIMEOUT_NANOS);
        return this;
    }

    private boolean arrivalsEnd;

    /** Receives how far a run has come. */
    interface Progress {
        void reached(Simulation simulation, int second);
    }

    private void round(Node node) {
        events.after(ROUND_NANOS, () -> round(node));
        if (!gossip.isDown(node.number)) {
            node.whenRunning(node::settleHeat);
        }
    }

    private void arrive() {
        double perSecond = scenario.requestsPerNode * scenario.nodes;
        events.after((long) (-Math.log(1 - arrivals.nextDouble()) / perSecond * SECOND), this::request);
    }

    private void request() {
        if (arrivalsEnd) {
            return;
        }
        int partition = popularity.draw(arrivals);
        int coordinator = coordinator(partition, arrivals.nextDouble());
        if (coordinator < 0) {
            observed.begun(events.now());
            observed.failed(events.now());
        } else {
            nodes[coordinator].coordinate(partition);
        }
        arrive();
    }

    /**
     * A random replica that clients use, or any node if there is none or the clients do not know the tokens; of the
     * client's datacenter, which is a random one.
     */
    private int coordinator(int partition, double u) {
        int datacenter = (int) (u * scenario.datacenters);
        double rest = u * scenario.datacenters - datacenter;
        if (scenario.tokenAware) {
            int[] replicas = ring.replicasOf(ring.rangeOf(partition));
            int usable = 0;
            for (int replica : replicas) {
                usable += isUsed(replica, datacenter) ? 1 : 0;
            }
            int chosen = (int) (rest * usable);
            for (int replica : replicas) {
                if (isUsed(replica, datacenter) && chosen-- == 0) {
                    return replica;
                }
            }
        }
        int count = scenario.nodesOfEach();
        int first = (int) (rest * count);
        for (int i = 0; i < count; i++) {
            int node = datacenter * count + (first + i) % count;
            if (clientsUse[node]) {
                return node;
            }
        }
        return -1;
    }

    /** Whether the clients of a datacenter use the node. */
    private boolean isUsed(int node, int datacenter) {
        return clientsUse[node] && scenario.datacenterOf(node) == datacenter;
    }

    Order orderOf(int node, HeatOfNode heat) {
        switch (policy) {
            case ISOTHERM:
            case LOCAL:
            case AFFINITY:
                return new HeatOrder(node, this, heat, plans, random.split());
            case UNIFORM:
                return Rivals.uniform(node, scenario.contacts(), random.split());
            case SHUNNING:
                return new Shunning(node, events);
            default:
                return Rivals.fixed(node);
        }
    }

    SplittableRandom split() {
        return random.split();
    }

    Node node(int number) {
        return nodes[number];
    }

    int size() {
        return nodes.length;
    }

    /** Whether responses are events of their own: someone looks at them when they arrive. */
    boolean followsResponses() {
        return scenario.guarded || scenario.hasPauses || scenario.isAuto(policy) || policy == Policy.SHUNNING;
    }

    long nextMessage() {
        return messages++;
    }

    int rowOn(int node, int partition) {
        int[] replicas = ring.replicasOf(ring.rangeOf(partition));
        int place = 0;
        while (replicas[place] != node) {
            place++;
        }
        return ring.rowOf(partition, place);
    }

    /** The replicas that a coordinator takes for living, in the same order. */
    int[] living(int coordinator, int[] replicas) {
        return only(replicas, replica -> gossip.isAlive(coordinator, replica));
    }

    /** Those of the replicas that are in the coordinator's datacenter, in the same order. */
    int[] near(int coordinator, int[] replicas) {
        return only(replicas, replica -> scenario.areNear(coordinator, replica));
    }

    /** Replicas of the coordinator's datacenter in that order, and then those of others among the living. */
    int[] followedByFar(int coordinator, int[] near, int[] living) {
        int[] all = Arrays.copyOf(near, living.length);
        int at = near.length;
        for (int replica : living) {
            if (!scenario.areNear(coordinator, replica)) {
                all[at++] = replica;
            }
        }
        return all;
    }

    /** The wanted replicas; the same array if these are all. */
    private static int[] only(int[] replicas, IntPredicate isWanted) {
        int count = 0;
        for (int replica : replicas) {
            count += isWanted.test(replica) ? 1 : 0;
        }
        if (count == replicas.length) {
            return replicas;
        }
        int[] wanted = new int[count];
        int at = 0;
        for (int replica : replicas) {
            if (isWanted.test(replica)) {
                wanted[at++] = replica;
            }
        }
        return wanted;
    }

    /** How long a message takes from one node to another. */
    long wayNanos(int from, int to) {
        return LEAST_WAY_NANOS
                + (long) (-Math.log(1 - random.nextDouble()) * MORE_WAY_NANOS)
                + (scenario.areNear(from, to) ? 0 : scenario.betweenDatacentersNanos)
                + nodes[from].lateNanos()
                + nodes[to].lateNanos();
    }

    /** How long a read takes of the disk: evenly between 0.75 and 1.25 times the mean. */
    long diskNanos() {
        return (long) (scenario.diskNanos * (0.75 + 0.5 * random.nextDouble()));
    }

    /** A node shuts down cleanly. */
    void stop(int number) {
        gossip.stopped(number);
        clientsUse[number] = false;
        nodes[number].stop();
    }

    /** A stopped node starts, with an empty cache; clients return to it a little later. */
    void start(int number) {
        Node node = nodes[number];
        node.start();
        gossip.started(number, node.heat().published());
        events.after(CLIENTS_RETURN_NANOS, () -> {
            clientsUse[number] = !gossip.isDown(number)
                    && Arrays.stream(scenario.withoutClients).noneMatch(other -> other == number);
        });
    }

    /** What was cached is not any more; the process goes on. */
    void emptyCache(int number) {
        nodes[number].rows().clear();
    }

    /** From now on of so many partitions one is read. */
    void setStride(int every) {
        popularity.setStride(every);
    }

    /** From now on so much of all requests reads one partition. */
    void setHotFraction(double fraction) {
        popularity.setHotFraction(fraction);
    }
}
