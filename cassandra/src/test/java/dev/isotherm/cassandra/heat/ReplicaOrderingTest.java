// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.Placement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

class ReplicaOrderingTest extends OrderedByHeat {
    private static final int READS = 20_000;

    private void placeByTokens() {
        switches.use(switches.balance().withPlacement(Placement.AFFINITY), PlacementChoice.AFFINITY);
    }

    /** The fraction of all contacts that each node has among the first k replicas of {@link #READS} reads. */
    private Map<InetAddressAndPort, Double> shares(ConsistencyLevel level, int k, int... nodes) {
        Map<InetAddressAndPort, Double> shares = new HashMap<>();
        for (int key = 0; key < READS; key++) {
            EndpointsForToken ordered = order(level, key, nodes);
            assertNotNull(ordered);
            assertEquals(Set.copyOf(replicas(key, nodes).endpointList()), Set.copyOf(ordered.endpointList()));
            for (int i = 0; i < k; i++) {
                shares.merge(ordered.get(i).endpoint(), 1.0 / READS / k, Double::sum);
            }
        }
        return shares;
    }

    @Test
    void aColdNodeGetsTheShareOfItsHeat() {
        believe(1, 0.25, 0.25);
        // Shares 1 : 4 : 4. The coordinator is the cold replica and keeps its whole share locally: 1/9 of three
        // coordinators' contacts.
        Map<InetAddressAndPort, Double> shares = shares(ConsistencyLevel.LOCAL_QUORUM, 2, 1, 2, 3);
        assertEquals(1.0 / 3, shares.get(node(1)), 0.015);
        assertEquals(1.0 / 3, shares.get(node(2)), 0.015);
    }

    @Test
    void aCoordinatorThatIsNoReplicaFollowsTheSharesThemselves() {
        board.report(table.id, node(2), Heat.missRatio(0.25), 0);
        board.report(table.id, node(3), Heat.missRatio(1), 0);
        Map<InetAddressAndPort, Double> shares = shares(ConsistencyLevel.ONE, 1, 2, 3);
        assertEquals(0.8, shares.get(node(2)), 0.015);
        assertEquals(0.2, shares.get(node(3)), 0.015);
    }

    private Set<InetAddressAndPort> homes(ConsistencyLevel level, int key, int... nodes) {
        context.begin(table, level, () -> List.of(key(key)));
        EndpointsForToken replicas = replicas(key, nodes);
        Set<InetAddressAndPort> found = new HashSet<>(replicas.endpointList());
        found.removeIf(node -> !homes.contain(node, replicas));
        context.clear();
        return found;
    }

    @Test
    void underAffinityTheHomesAreWhereReadsGoOnceAllAreWarm() {
        placeByTokens();
        believe(0.3, 0.3, 0.3);
        int same = 0;
        for (int key = 0; key < 1_000; key++) {
            List<InetAddressAndPort> ordered =
                    order(ConsistencyLevel.LOCAL_QUORUM, key, 1, 2, 3).endpointList();
            Set<InetAddressAndPort> found = homes(ConsistencyLevel.LOCAL_QUORUM, key, 3, 1, 2);
            assertEquals(2, found.size());
            same += found.equals(Set.copyOf(ordered.subList(0, 2))) ? 1 : 0;
        }
        // But for the reads that wander, two in a hundred, of which a third meets the same two.
        assertEquals(987, same, 12);
    }

    @Test
    void underLocalAndWhileHeatIsOffEachReplicaIsAHome() {
        Set<InetAddressAndPort> all = Set.of(node(1), node(2), node(3));
        believe(0.3, 0.3, 0.3);
        assertEquals(all, homes(ConsistencyLevel.LOCAL_QUORUM, 7, 1, 2, 3));
        placeByTokens();
        assertEquals(2, homes(ConsistencyLevel.LOCAL_QUORUM, 7, 1, 2, 3).size());
        // The heat of node 4 is not known here: the order stays the operator's.
        assertEquals(Set.of(node(1), node(4)), homes(ConsistencyLevel.ONE, 7, 1, 4));
        switches.enabled().set(false);
        assertEquals(all, homes(ConsistencyLevel.LOCAL_QUORUM, 7, 1, 2, 3));
    }

    @Test
    void underAffinityAPartitionMeetsTheSameReplicas() {
        placeByTokens();
        believe(0.3, 0.3, 0.3);
        int same = 0;
        for (int key = 0; key < 1_000; key++) {
            Set<InetAddressAndPort> first = new HashSet<>(order(ConsistencyLevel.LOCAL_QUORUM, key, 1, 2, 3)
                    .endpointList()
                    .subList(0, 2));
            Set<InetAddressAndPort> again = new HashSet<>(order(ConsistencyLevel.LOCAL_QUORUM, key, 3, 1, 2)
                    .endpointList()
                    .subList(0, 2));
            same += first.equals(again) ? 1 : 0;
        }
        // All but the wandering reads: 2 %, of which a third meets the same pair by chance.
        assertEquals(0.974, same / 1000.0, 0.02);
    }

    /** Each third read is of one partition, which by its token one replica would serve. */
    private List<InetAddressAndPort> firstOfTheHeavyOne(int reads) {
        List<InetAddressAndPort> first = new ArrayList<>();
        for (int read = 0; read < reads; read++) {
            order(ConsistencyLevel.ONE, 1_000 + 2 * read, 1, 2, 3);
            order(ConsistencyLevel.ONE, 1_001 + 2 * read, 1, 2, 3);
            EndpointsForToken ordered = order(ConsistencyLevel.ONE, 7, 1, 2, 3);
            first.add(ordered == null ? null : ordered.get(0).endpoint());
        }
        return first.subList(reads / 2, reads);
    }

    @Test
    void underAffinityAHeavyPartitionKeepsTheOperatorsOrder() {
        placeByTokens();
        believe(0.3, 0.3, 0.3);
        long unchanged = ordering.unchangedReads();
        assertEquals(Collections.nCopies(1_000, null), firstOfTheHeavyOne(2_000));
        // Of the others few share its cell.
        assertEquals(2_000, ordering.unchangedReads() - unchanged, 400);
    }

    /** Whose coordinators' operator's order may begin with one and the same replica. */
    @Test
    void underAffinityAHeavyPartitionOfOthersIsSpreadOverThem() {
        placeByTokens();
        believe(0.3, 0.3, 0.3);
        List<InetAddressAndPort> first = new ArrayList<>();
        for (int read = 0; read < 4_000; read++) {
            first.add(order(ConsistencyLevel.ONE, 7, 2, 3).get(0).endpoint());
        }
        assertEquals(0.5, Collections.frequency(first.subList(2_000, 4_000), node(2)) / 2_000.0, 0.05);
    }

    @Test
    void thePagesOfAScanMakeNoPartitionHeavy() {
        placeByTokens();
        believe(0.3, 0.3, 0.3);
        Set<InetAddressAndPort> first = new HashSet<>();
        for (int page = 0; page < 1_000; page++) {
            context.begin(table, ConsistencyLevel.ONE, () -> List.of(key(7)));
            context.goOn();
            first.add(ordered(7, 1, 2, 3).get(0).endpoint());
            context.clear();
        }
        assertEquals(1, first.size());
    }

    @Test
    void withoutWanderingAHeavyPartitionIsPlacedByItsTokenToo() {
        switches.use(new BalanceSettings(Placement.AFFINITY, 0.05, 0, 500_000, 10_000_000), PlacementChoice.AFFINITY);
        believe(0.3, 0.3, 0.3);
        List<InetAddressAndPort> first = firstOfTheHeavyOne(2_000);
        assertEquals(Collections.nCopies(1_000, first.get(0)), first);
        assertNotNull(first.get(0));
    }

    @Test
    void whereHeatsDifferAHeavyPartitionIsSpreadByThem() {
        placeByTokens();
        believe(0.2, 0.4, 0.4);
        List<InetAddressAndPort> first = firstOfTheHeavyOne(8_000);
        assertEquals(0.5, Collections.frequency(first, node(1)) / 4_000.0, 0.04);
        assertEquals(0.25, Collections.frequency(first, node(2)) / 4_000.0, 0.04);
    }

    @Test
    void theDeadComeLastAndAreNotDrawn() {
        believe(0.25, 0.25, 1);
        dead.add(node(2));
        deadNodes.refresh();
        for (int key = 0; key < 200; key++) {
            EndpointsForToken ordered = order(ConsistencyLevel.ONE, key, 1, 2, 3);
            assertEquals(node(2), ordered.get(2).endpoint());
        }
    }

    @Test
    void theLocalDatacenterComesFirst() {
        believe(0.2, 0.4, 1, 0.1, 0.1, 0.1);
        for (int key = 0; key < 200; key++) {
            List<InetAddressAndPort> ordered =
                    order(ConsistencyLevel.LOCAL_QUORUM, key, 4, 1, 5, 2, 6, 3).endpointList();
            assertEquals(Set.of(node(1), node(2), node(3)), Set.copyOf(ordered.subList(0, 3)));
        }
    }

    @Test
    void eachQuorumDrawsInEachDatacenter() {
        believe(0.2, 0.2, 1, 0.2, 0.2, 1);
        int[] first = new int[7];
        for (int key = 0; key < READS; key++) {
            List<InetAddressAndPort> ordered =
                    order(ConsistencyLevel.EACH_QUORUM, key, 4, 1, 5, 2, 6, 3).endpointList();
            assertEquals(Set.of(node(1), node(2), node(3)), Set.copyOf(ordered.subList(0, 3)));
            for (int i = 3; i < 5; i++) {
                first[ordered.get(i).getAddress().getAddress()[3]]++;
            }
        }
        // The shares by heat are 5 : 5 : 1.
        assertEquals(5.0 / 11, first[4] / 2.0 / READS, 0.015);
        assertEquals(1.0 / 11, first[6] / 2.0 / READS, 0.015);
    }

    @Test
    void ofWhatHeatDoesNotKnowItTellsNoOrder() {
        believe(0.2, 1);
        assertNull(order(ConsistencyLevel.ONE, 1, 1, 2, 3));
        assertNull(alike);
        assertEquals(1, ordering.unchangedReads());
        believe(0.2, 0.5, 1);
        assertNotNull(order(ConsistencyLevel.ONE, 1, 1, 2, 3));
        assertEquals(1, ordering.balancedReads());
    }

    @Test
    void heatThatIsSwitchedOffLeavesEveryReadAlone() {
        believe(0.2, 0.5, 1);
        switches.enabled().set(false);
        assertNull(order(ConsistencyLevel.ONE, 1, 1, 2, 3));
        switches.enabled().set(true);
        assertNotNull(order(ConsistencyLevel.ONE, 1, 1, 2, 3));
    }

    @Test
    void aReadOutsideOfAnyStatementIsLeftAlone() {
        believe(0.2, 0.5, 1);
        assertNull(ordered(1, 1, 2, 3));
    }

    @Test
    void aTokenTheStatementDoesNotNameIsLeftAlone() {
        believe(0.2, 0.5, 1);
        context.begin(table, ConsistencyLevel.ONE, () -> List.of(key(1)));
        assertNull(ordered(2, 1, 2, 3));
        assertNotNull(ordered(1, 1, 2, 3));
    }

    /** By it the sample of local reads tells a partition's first read from its repetitions. */
    @Test
    void theTokenOfTheReadIsKnownUntilTheStatementEnds() {
        believe(0.2, 0.5, 1);
        context.begin(table, ConsistencyLevel.ONE, () -> List.of(key(1)));
        ordered(2, 1, 2, 3);
        assertNull(context.lastToken(), "a read that the statement does not name");
        ordered(1, 1, 2, 3);
        assertEquals(Murmur3Partitioner.instance.getToken(key(1)), context.lastToken());
        context.clear();
        assertNull(context.lastToken());
    }

    @Test
    void everyPartitionOfAnInIsBalanced() {
        believe(0.2, 0.5, 1);
        List<ByteBuffer> keys = new ArrayList<>(List.of(key(1), key(2), key(3)));
        context.begin(table, ConsistencyLevel.ONE, () -> keys);
        for (int key = 1; key <= 3; key++) {
            assertNotNull(ordered(key, 1, 2, 3));
        }
        assertNull(ordered(4, 1, 2, 3));
    }

    @Test
    void aChangeOfHeatMakesANewPlan() {
        believe(0.2, 0.2, 1);
        // The coordinator is one of the warm replicas: it may keep every read.
        assertEquals(1, shares(ConsistencyLevel.ONE, 1, 1, 2, 3).get(node(1)), 1e-9);
        believe(1, 1, 0.05);
        // Shares 1 : 1 : 20: each cold coordinator keeps 3/22 of its reads and sends the others to node 3.
        Map<InetAddressAndPort, Double> shares = shares(ConsistencyLevel.ONE, 1, 1, 2, 3);
        assertEquals(3.0 / 22, shares.get(node(1)), 0.01);
        assertEquals(19.0 / 22, shares.get(node(3)), 0.01);
    }
}
