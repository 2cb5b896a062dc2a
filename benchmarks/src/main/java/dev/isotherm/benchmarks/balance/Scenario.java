// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** What one simulation does: the cluster, its load, and what happens to it when. */
final class Scenario {
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final double LITTLE = 1.25;
    /** With so few nodes and disks that are busy to the limit, one run is a matter of chance. */
    private static final int RUNS_OF_THREE_NODES = 5;

    private static final int RUNS_OF_SOME_NODES = 3;

    /** Something that happens at a second of the run. */
    static final class Step {
        final double second;
        final Consumer<Simulation> action;

        Step(double second, Consumer<Simulation> action) {
            this.second = second;
            this.action = action;
        }
    }

    String name;
    final int nodes;
    final List<Step> steps = new ArrayList<>();

    /** Each with the same number of nodes, one datacenter's after the other's; clients are in all of them. */
    int datacenters = 1;

    /** How much longer a message takes, one way, that goes to another datacenter. */
    long betweenDatacentersNanos = 20 * MILLISECOND;
    /** Whether reads are at LOCAL_QUORUM; else they are at QUORUM, over all datacenters. */
    boolean readsAreLocal;

    int vnodes = 16;
    /** In each datacenter. */
    int replicationFactor = 3;

    double requestsPerNode = 100;
    int rowsPerNode = 6400;
    int cachedRows = 4100;
    int cores = 2;
    long serveNanos = 200 * MICROSECOND;
    long coordinateNanos = 200 * MICROSECOND;
    /**
     * What a contact of another node takes of the processors of either of the two, for its messages; 0 where it is part
     * of the time that a message is under way.
     */
    long remoteNanos;

    int diskPlaces = 2;
    long diskNanos = 11 * MILLISECOND;
    /** How many reads of the disk, one after the other, a read takes that misses the cache. */
    int diskReadsPerMiss = 1;
    /** The first so many misses of a node whose page cache was emptied take one more, of the index. */
    int indexReads;

    HeatSource source = HeatSource.DISK;
    /** The placement; the one at first where nodes choose it. */
    Placement placement = Placement.LOCAL;
    /** Whether nodes choose the placement themselves. */
    boolean auto;
    /** Whether every second node draws by the other placement. */
    boolean mixed;
    /** Changes of the placement that a node may make. */
    int mostChanges = 1;

    /** Whether a read contacts one replica, and not a quorum. */
    boolean readsOne;

    double zipfExponent;
    double hotFraction;
    /** Of so many partitions one is read. */
    int stride = 1;

    boolean tokenAware = true;
    /** Nodes that no client uses as coordinator. */
    int[] withoutClients = {};

    double gossipLoss;
    double gossipDelaySeconds;
    boolean piggyback = true;
    boolean hasPauses;
    /** Whether the nodes guard their reads; the guard looks at every peer a hundred times a second. */
    boolean guarded;
    /** Whether nodes that came back cold are warmed with copies of reads. */
    boolean warmed = true;

    /** From then on the cluster is in its steady state. */
    int settledSecond = 20;

    /** The event's second: what is promised is promised from then on. */
    int eventSecond = 30;
    /** The second from which on the nodes that the event befalls are unable to serve; the event's without such. */
    int downSecond = 30;

    int seconds = 100;
    /** The nodes that come back cold. */
    int[] cold = {};
    /** Where cold nodes return one after the other, the second in which the last of them does. */
    int lastReturnSecond;
    /** The nodes that are stopped at any time. */
    private final Set<Integer> stopped = new HashSet<>();

    /** What the lab measured under the same load; null if it did not. */
    LabRun measured;

    /** How often it is run, with other seeds; what counts is {@link Outcome#ofRuns}. */
    int runs;

    /** What is promised. */
    final Set<Promise> promises = EnumSet.of(Promise.LATENCY, Promise.TIME_OUTS, Promise.LOAD);
    /**
     * Those of the promises that are known not to be kept, and how many times what is promised it is at most; the
     * documentation says why.
     */
    final Map<Promise, Double> notKept = new EnumMap<>(Promise.class);

    /** The rivals beside uniform reads. */
    final Set<Policy> policies = EnumSet.of(Policy.ISOTHERM, Policy.UNIFORM, Policy.STATIC, Policy.SHUNNING);

    Scenario(String name, int nodes) {
        this.name = name;
        this.nodes = nodes;
        this.runs = nodes <= 3 ? RUNS_OF_THREE_NODES : nodes <= 24 ? RUNS_OF_SOME_NODES : 1;
    }

    /** Whether nodes choose the placement themselves under that policy. */
    boolean isAuto(Policy policy) {
        return auto && policy == Policy.ISOTHERM;
    }

    /** The placement of a node at first. */
    Placement placementOf(Policy policy, int node) {
        if (policy == Policy.LOCAL || policy == Policy.AFFINITY) {
            return policy == Policy.LOCAL ? Placement.LOCAL : Placement.AFFINITY;
        }
        return mixed && node % 2 == 1 ? Placement.AFFINITY : placement;
    }

    /** The replicas that a read contacts, by its consistency level. */
    int contacts() {
        return readsOne ? 1 : (readsAreLocal ? replicationFactor : replicationFactor * datacenters) / 2 + 1;
    }

    int datacenterOf(int node) {
        return node / nodesOfEach();
    }

    boolean areNear(int node, int other) {
        return datacenters == 1 || datacenterOf(node) == datacenterOf(other);
    }

    /** The number of nodes of each datacenter. */
    int nodesOfEach() {
        return nodes / datacenters;
    }

    /** The nodes of a datacenter. */
    IntStream nodesOf(int datacenter) {
        return IntStream.range(datacenter * nodesOfEach(), (datacenter + 1) * nodesOfEach());
    }

    boolean isCold(int node) {
        return Arrays.stream(cold).anyMatch(each -> each == node);
    }

    /** Whether a node is neither cold nor stopped at any time: what those that come back are compared with. */
    boolean isWarm(int node) {
        return !isCold(node) && !stopped.contains(node);
    }

    /** Whether nodes come back cold, each to a datacenter with warm ones that its reads are compared with. */
    boolean canRejoin() {
        return cold.length > 0
                && Arrays.stream(cold)
                        .allMatch(node -> nodesOf(datacenterOf(node)).anyMatch(this::isWarm));
    }

    /** The second from which on the cold nodes are to rejoin: all of them are back. */
    int returnSecond() {
        return Math.max(eventSecond, lastReturnSecond);
    }

    Scenario at(double second, Consumer<Simulation> action) {
        steps.add(new Step(second, action));
        return this;
    }

    /** A node is stopped cleanly, started later, and comes back cold. */
    Scenario restarted(int node, double downAt, double upAt) {
        stopped.add(node);
        return at(downAt, simulation -> simulation.stop(node)).at(upAt, simulation -> simulation.start(node));
    }

    /** Nodes stop and start again at once, and are cold. */
    Scenario cooled(double at, int... nodesThen) {
        for (int node : nodesThen) {
            restarted(node, at, at);
        }
        cold = nodesThen;
        return this;
    }

    /** Sets the rate of requests such that each node has so many reads a second, however many a request takes. */
    Scenario withReads(double perNode) {
        requestsPerNode = perNode / contacts();
        return this;
    }

    /** One partition gets such a part of the requests; its nodes then serve at most nine tenths of what they can. */
    Scenario hot(double from, double part) {
        double more = part * nodes / replicationFactor;
        return at(from, simulation -> simulation.setHotFraction(part))
                .withProcessorLoad(Math.min(0.4, 0.85 / (1 + more)));
    }

    /** Sets the rate of requests such that so much of the disks is used in the steady state, with so many misses. */
    Scenario withDiskLoad(double load, double missRatio) {
        requestsPerNode = load * diskPlaces / (diskNanos / 1e9) / contacts() / missRatio;
        return this;
    }

    /** Sets the time that reads take of the processors such that so much of these is used; messages take none. */
    Scenario withProcessorLoad(double load) {
        return withProcessorLoad(load, 0);
    }

    /**
     * As {@link #withProcessorLoad(double)}, where coordinators contact themselves and their messages take processors.
     *
     * @param remotePart what a contact of another node takes of either node's, of what serving a read does
     */
    Scenario withProcessorLoad(double load, double remotePart) {
        double partsOfRequest = 1 + contacts() + (contacts() - 1) * 2 * remotePart;
        long nanos = (long) (load * cores * 1e9 / (requestsPerNode * partsOfRequest));
        serveNanos = nanos;
        coordinateNanos = nanos;
        remoteNanos = (long) (nanos * remotePart);
        return this;
    }

    Scenario promises(Promise... more) {
        promises.addAll(List.of(more));
        return this;
    }

    Scenario promisesOnly(Promise... only) {
        promises.retainAll(List.of(only));
        return promises(only);
    }

    /** A node's process stands still for so long, again and again; in seconds. */
    Scenario pauses(int node, double from, double to, double every, double lasts) {
        hasPauses = true;
        for (double second = from; second < to; second += every) {
            at(second, simulation -> simulation.node(node).pause((long) (lasts * Simulation.SECOND)));
        }
        return this;
    }

    /** Each node does, one after the other, until then. */
    Scenario allPause(double to, double every, double lasts) {
        for (int node = 0; node < nodes; node++) {
            pauses(node, 5 + node * every / nodes, to, every, lasts);
        }
        return this;
    }

    /** What is known not to be kept may be a quarter more than is promised. */
    Scenario doesNotKeep(Promise... these) {
        return doesNotKeep(LITTLE, these);
    }

    /** @param times how many times what is promised it is at most */
    Scenario doesNotKeep(double times, Promise... these) {
        for (Promise promise : these) {
            notKept.put(promise, times);
        }
        return this;
    }

    @Override
    public String toString() {
        return name + ", " + nodes + " nodes";
    }
}
