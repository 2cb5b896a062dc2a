// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.guard.GuardedReads;
import dev.isotherm.cassandra.guard.WellGuard;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.DisksOfNodes;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.SteadyDraws;
import java.lang.reflect.Field;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.AbstractNetworkTopologySnitch;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One order of a read's three replicas: the plugin's beside that of Cassandra's own snitches.
 *
 * <p>The plugin's side is all that it does for the order: beginning and clearing the statement's context, the look-up
 * of the plan, the draw, the reordering, and the question to the guard, which avoids nothing; with permissions also the
 * comparison of the partition's token. Of 1,024 partitions the low numbers are read far more often, so that under
 * affinity some are heavy hitters.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        jvmArgsAppend = {
            "--add-opens=java.base/java.io=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"
        })
public class OrderingBenchmark {
    private static final int PARTITIONS = 1024;
    private static final int BLOCK_FOR = 2;
    /** As one read in fifty wanders. */
    private static final int MOSTLY = PARTITIONS * 9 / 10;

    /** One datacenter and rack for all nodes: the values that GossipingPropertyFileSnitch would return. */
    private static final class OneRack extends AbstractNetworkTopologySnitch {
        @Override
        public String getDatacenter(InetAddressAndPort endpoint) {
            return "dc1";
        }

        @Override
        public String getRack(InetAddressAndPort endpoint) {
            return "rack1";
        }
    }

    private final IEndpointSnitch simple = new SimpleSnitch();
    private final EndpointsForToken[] replicas = new EndpointsForToken[PARTITIONS];
    private final ByteBuffer[] keys = new ByteBuffer[PARTITIONS];
    private IEndpointSnitch dynamic;
    private TableMetadata table;
    private ReplicaOrdering local;
    private ReplicaOrdering affinity;
    private GuardedReads guard;
    private InetAddressAndPort self;

    @Setup
    public void prepare() throws Exception {
        DatabaseDescriptor.clientInitialization(true, OrderingBenchmark::config);
        self = FBUtilities.getBroadcastAddressAndPort();
        InetAddressAndPort[] nodes = {self, node(2), node(3)};
        Range<Token> all = new Range<>(
                Murmur3Partitioner.instance.getMinimumToken(), Murmur3Partitioner.instance.getMinimumToken());
        for (int i = 0; i < PARTITIONS; i++) {
            keys[i] = Int32Type.instance.decompose(i);
            EndpointsForToken.Builder builder =
                    EndpointsForToken.builder(Murmur3Partitioner.instance.getToken(keys[i]));
            for (int n = 0; n < 3; n++) {
                builder.add(Replica.fullReplica(nodes[(i + n) % 3], all));
            }
            replicas[i] = builder.build();
        }
        dynamic = dynamicSnitch(nodes);
        table = TableMetadata.builder("ks", "t")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", Int32Type.instance)
                .build();
        local = ordering(nodes, PlacementChoice.LOCAL);
        affinity = ordering(nodes, PlacementChoice.AFFINITY);
        guard = WellGuard.of(self);
        check();
    }

    private static Config config() {
        Config config = new Config();
        config.listen_address = "127.0.0.1";
        return config;
    }

    private static InetAddressAndPort node(int number) throws UnknownHostException {
        return InetAddressAndPort.getByName("127.0.0." + number);
    }

    /** The dynamic snitch with a score for each node, as after the first timed reads. */
    private static IEndpointSnitch dynamicSnitch(InetAddressAndPort[] nodes) throws ReflectiveOperationException {
        DynamicEndpointSnitch snitch = new DynamicEndpointSnitch(new OneRack(), "benchmark");
        Map<InetAddressAndPort, Double> scores = new HashMap<>();
        for (int n = 0; n < nodes.length; n++) {
            scores.put(nodes[n], 0.3 + 0.1 * n);
        }
        Field field = DynamicEndpointSnitch.class.getDeclaredField("scores");
        field.setAccessible(true);
        field.set(snitch, scores);
        return snitch;
    }

    private ReplicaOrdering ordering(InetAddressAndPort[] nodes, PlacementChoice placement) {
        HeatBoard<TableId, InetAddressAndPort> board = new HeatBoard<>(Long.MAX_VALUE / 2, BalanceSettings.defaults());
        double[] missRatios = {0.3, 0.25, 0.8};
        for (int n = 0; n < nodes.length; n++) {
            board.report(table.id, nodes[n], Heat.missRatio(missRatios[n]), System.nanoTime());
        }
        BlockFor blockFor = new BlockFor() {
            @Override
            public int inAll(TableId id, ConsistencyLevel level) {
                return BLOCK_FOR;
            }

            @Override
            public int inEach(TableId id, ConsistencyLevel level, String datacenter) {
                return NONE;
            }
        };
        IEndpointSnitch snitch = new OneRack();
        HeatSwitches switches =
                new HeatSwitches(true, BalanceSettings.defaults().withPlacement(placement.placement()), placement);
        GroupPlans plans = new GroupPlans(
                new GroupPlanner(board, blockFor, snitch, self, new DisksOfNodes<>(), System::nanoTime),
                switches,
                32 << 20,
                new Failures());
        return new ReplicaOrdering(
                switches,
                snitch,
                snitch,
                new DeadNodes(Set::of),
                plans,
                () -> ThreadLocalRandom.current().nextDouble(),
                new SteadyDraws(1),
                System::nanoTime);
    }

    /** By each placement's mark: local reads every partition here, affinity from the same nodes each time. */
    private void check() {
        int repeated = 0;
        int elsewhere = 0;
        for (int i = 0; i < PARTITIONS; i++) {
            InetAddressAndPort leftOut = leftOut(affinity, i);
            elsewhere += leftOut.equals(self) ? 1 : 0;
            repeated += leftOut.equals(leftOut(affinity, i)) ? 1 : 0;
            if (leftOut(local, i).equals(self)) {
                throw new AssertionError("under local, partition " + i + " is not read here");
            }
        }
        if (elsewhere == 0 || repeated < MOSTLY) {
            throw new AssertionError("under affinity " + elsewhere + " are not read here, and " + repeated
                    + " from the same nodes twice");
        }
    }

    /** The replica that is not contacted. */
    private InetAddressAndPort leftOut(ReplicaOrdering ordering, int partition) {
        EndpointsForToken ordered = isotherm(ordering, partition, true);
        if (ordered == null
                || !Set.copyOf(ordered.endpointList()).equals(Set.copyOf(replicas[partition].endpointList()))) {
            throw new AssertionError("partition " + partition + ": " + ordered);
        }
        return ordered.get(BLOCK_FOR).endpoint();
    }

    /** A partition's number; low numbers are read far more often than high ones. */
    private static int partition() {
        double x = ThreadLocalRandom.current().nextDouble();
        return (int) (x * x * x * PARTITIONS);
    }

    private EndpointsForToken isotherm(ReplicaOrdering ordering, int partition, boolean comparesTokens) {
        ReadContext context = ReadContext.current();
        context.begin(table, ConsistencyLevel.QUORUM, comparesTokens ? () -> List.of(keys[partition]) : null);
        try {
            return guard.guarded(ordering.order(self, replicas[partition], (coordinator, inOrder) -> inOrder));
        } finally {
            context.clear();
        }
    }

    @Benchmark
    public EndpointsForToken isothermLocal() {
        return isotherm(local, partition(), false);
    }

    @Benchmark
    public EndpointsForToken isothermAffinity() {
        return isotherm(affinity, partition(), false);
    }

    /** Of {@code local}. */
    @Benchmark
    public EndpointsForToken isothermWithPermissions() {
        return isotherm(local, partition(), true);
    }

    @Benchmark
    public EndpointsForToken dynamicEndpointSnitch() {
        return dynamic.sortedByProximity(self, replicas[partition()]);
    }

    @Benchmark
    public EndpointsForToken simpleSnitch() {
        return simple.sortedByProximity(self, replicas[partition()]);
    }
}
