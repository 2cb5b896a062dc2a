// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.DisksOfNodes;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.SteadyDraws;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.AbstractNetworkTopologySnitch;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** An ordering of reads: nodes 1–3 are in the local datacenter, 4–6 in the other; node 1 coordinates. */
abstract class OrderedByHeat {
    private static final class TwoDatacenters extends AbstractNetworkTopologySnitch {
        @Override
        public String getDatacenter(InetAddressAndPort endpoint) {
            return endpoint.compareTo(node(4)) < 0 ? "here" : "there";
        }

        @Override
        public String getRack(InetAddressAndPort endpoint) {
            return "rack";
        }
    }

    /** Prefers replicas in the opposite order. */
    private static final class Backwards extends AbstractNetworkTopologySnitch {
        private final TwoDatacenters snitch = new TwoDatacenters();

        @Override
        public String getDatacenter(InetAddressAndPort endpoint) {
            return snitch.getDatacenter(endpoint);
        }

        @Override
        public String getRack(InetAddressAndPort endpoint) {
            return snitch.getRack(endpoint);
        }

        @Override
        public int compareEndpoints(InetAddressAndPort target, Replica a, Replica b) {
            return b.endpoint().compareTo(a.endpoint());
        }
    }

    static TableMetadata table;

    final HeatBoard<TableId, InetAddressAndPort> board =
            new HeatBoard<>(Long.MAX_VALUE / 2, BalanceSettings.defaults());
    final HeatSwitches switches = new HeatSwitches(true, BalanceSettings.defaults(), PlacementChoice.LOCAL);
    final Set<InetAddressAndPort> dead = new HashSet<>();
    final DeadNodes deadNodes = new DeadNodes(() -> dead);
    final Map<ConsistencyLevel, Integer> blockFor = Map.of(
            ConsistencyLevel.ONE,
            1,
            ConsistencyLevel.LOCAL_QUORUM,
            2,
            ConsistencyLevel.QUORUM,
            4,
            ConsistencyLevel.EACH_QUORUM,
            4);
    long nowNanos;
    final ReadContext context = ReadContext.current();
    final ReplicaOrdering ordering;
    final PartitionHomes homes;
    /** The order of replicas that were said to be equally warm; null while none were. */
    EndpointsForToken alike;

    OrderedByHeat() {
        TwoDatacenters snitch = new TwoDatacenters();
        BlockFor ofLevel = new BlockFor() {
            @Override
            public int inAll(TableId id, ConsistencyLevel level) {
                return blockFor.get(level);
            }

            @Override
            public int inEach(TableId id, ConsistencyLevel level, String datacenter) {
                return level == ConsistencyLevel.EACH_QUORUM ? 2 : NONE;
            }
        };
        GroupPlanner planner = new GroupPlanner(board, ofLevel, snitch, node(1), new DisksOfNodes<>(), () -> 0);
        ordering = new ReplicaOrdering(
                switches,
                snitch,
                new Backwards(),
                deadNodes,
                new GroupPlans(planner, switches, 1 << 20, new Failures()),
                new Random(42)::nextDouble,
                new SteadyDraws(42),
                () -> nowNanos);
        homes = new PartitionHomes(switches, ordering);
    }

    @BeforeAll
    static void makeTable() {
        DatabaseDescriptor.clientInitialization();
        table = TableMetadata.builder("ks", "t")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", Int32Type.instance)
                .build();
    }

    @AfterEach
    void clear() {
        context.clear();
    }

    void believe(double... missRatios) {
        for (int i = 0; i < missRatios.length; i++) {
            board.report(table.id, node(i + 1), Heat.missRatio(missRatios[i]), 0);
        }
    }

    static ByteBuffer key(int key) {
        return Int32Type.instance.decompose(key);
    }

    static EndpointsForToken replicas(int key, int... nodes) {
        Range<Token> all = new Range<>(
                Murmur3Partitioner.instance.getMinimumToken(), Murmur3Partitioner.instance.getMinimumToken());
        EndpointsForToken.Builder builder = EndpointsForToken.builder(Murmur3Partitioner.instance.getToken(key(key)));
        for (int node : nodes) {
            builder.add(Replica.fullReplica(node(node), all));
        }
        return builder.build();
    }

    EndpointsForToken order(ConsistencyLevel level, int key, int... nodes) {
        context.begin(table, level, () -> List.of(key(key)));
        try {
            return ordered(key, nodes);
        } finally {
            context.clear();
        }
    }

    /** The order in which the present statement reads a partition; null where its heat does not tell one. */
    EndpointsForToken ordered(int key, int... nodes) {
        return ordering.order(node(1), replicas(key, nodes), (coordinator, inOrder) -> {
            assertEquals(node(1), coordinator);
            alike = inOrder;
            return null;
        });
    }
}
