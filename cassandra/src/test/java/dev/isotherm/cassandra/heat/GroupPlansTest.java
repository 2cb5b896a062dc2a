// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.Addresses;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.DisksOfNodes;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Node 1 coordinates; each group of nodes is read at a majority. */
class GroupPlansTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long STALE_NANOS = 90 * SECOND;
    private static final int NODES = 200;
    /** One object for each node, as in Cassandra. */
    private static final InetAddressAndPort[] NODE =
            IntStream.rangeClosed(0, NODES).mapToObj(Addresses::node).toArray(InetAddressAndPort[]::new);

    private static final TableId TABLE = TableId.fromUUID(new UUID(1, 1));

    private final HeatBoard<TableId, InetAddressAndPort> board =
            new HeatBoard<>(STALE_NANOS, BalanceSettings.defaults());
    private final HeatSwitches switches = new HeatSwitches(true, BalanceSettings.defaults(), PlacementChoice.LOCAL);
    private final DisksOfNodes<InetAddressAndPort> disks = new DisksOfNodes<>();
    private final DeadNodes nobody = new DeadNodes(Set::of);
    private final Failures failures = new Failures();
    /** A node that the operator's snitch does not know any more. */
    private InetAddressAndPort unknown;

    private final IEndpointSnitch snitch = new SimpleSnitch() {
        @Override
        public String getDatacenter(InetAddressAndPort endpoint) {
            if (endpoint.equals(unknown)) {
                throw new IllegalStateException("Unknown host " + endpoint);
            }
            return super.getDatacenter(endpoint);
        }
    };

    private int blockFor = 2;
    private long nowNanos;

    @BeforeAll
    static void begin() {
        DatabaseDescriptor.clientInitialization();
    }

    private GroupPlans plans(long mostBytes) {
        BlockFor level = new BlockFor() {
            @Override
            public int inAll(TableId table, ConsistencyLevel level) {
                return blockFor;
            }

            @Override
            public int inEach(TableId table, ConsistencyLevel level, String datacenter) {
                return NONE;
            }
        };
        return new GroupPlans(
                new GroupPlanner(board, level, snitch, node(1), disks, () -> nowNanos), switches, mostBytes, failures);
    }

    private static InetAddressAndPort node(int number) {
        return NODE[number];
    }

    private GroupKey group(int... nodes) {
        Token token = Murmur3Partitioner.instance.getMinimumToken();
        Range<Token> all = new Range<>(token, token);
        EndpointsForToken.Builder builder = EndpointsForToken.builder(token);
        for (int node : nodes) {
            builder.add(Replica.fullReplica(node(node), all));
        }
        return new GroupKey(TABLE, ConsistencyLevel.QUORUM, builder.build(), nobody);
    }

    private void report(int node, double missRatio) {
        board.report(TABLE, node(node), Heat.missRatio(missRatio), nowNanos);
    }

    @Test
    void whereTheNodesChooseAnotherPlacementOnlyTheTablesPlansAreMadeAnew() {
        for (int node = 1; node <= 3; node++) {
            report(node, 0.2 * node);
        }
        switches.use(BalanceSettings.defaults(), PlacementChoice.AUTO);
        GroupPlans plans = plans(1 << 20);
        GroupPlan plan = plans.currentFor(group(1, 2, 3));
        switches.choose(TableId.fromUUID(new UUID(1, 2)), Placement.AFFINITY);
        switches.choose(TABLE, Placement.LOCAL);
        assertSame(plan, plans.currentFor(group(1, 2, 3)), "another table's, and the same");
        switches.choose(TABLE, Placement.AFFINITY);
        GroupPlan chosen = plans.currentFor(group(1, 2, 3));
        assertNotSame(plan, chosen);
        assertSame(chosen, plans.currentFor(group(1, 2, 3)));
        assertEquals(2, plans.built());
    }

    @Test
    void aPlanOutlivesTheHeatsOfOtherNodes() {
        for (int node = 1; node <= 4; node++) {
            report(node, 0.2 * node);
        }
        GroupPlans plans = plans(1 << 20);
        GroupPlan plan = plans.currentFor(group(1, 2, 3));
        report(4, 0.1);
        assertSame(plan, plans.currentFor(group(1, 2, 3)));
        report(3, 0.1);
        assertNotSame(plan, plans.currentFor(group(1, 2, 3)));
        assertEquals(2, plans.built());
    }

    @Test
    void aPlanIsLookedAfterButNotBuiltAnewEachFiveSeconds() {
        report(1, 0.2);
        report(2, 0.4);
        report(3, 0.8);
        GroupPlans plans = plans(1 << 20);
        GroupPlan plan = plans.currentFor(group(1, 2, 3));
        for (int second = 0; second < 20; second++) {
            plans.settle();
        }
        assertSame(plan, plans.currentFor(group(1, 2, 3)));

        blockFor = 1;
        settleAll(plans);
        GroupPlan ofOne = plans.currentFor(group(1, 2, 3));
        assertNotSame(plan, ofOne);
        nowNanos = STALE_NANOS;
        settleAll(plans);
        assertTrue(plans.currentFor(group(1, 2, 3)).datacenters.isEmpty(), "stale heats give no plan");
        assertEquals(3, plans.built());
    }

    /** What a disk bears besides the table is reckoned with the requests of all: they change without its own. */
    @Test
    void aPlanIsMadeAnewWhereOtherTablesHaveGotManyMoreRequests() {
        TableId other = TableId.fromUUID(new UUID(1, 2));
        for (int node = 1; node <= 3; node++) {
            board.report(TABLE, node(node), Heat.missRatio(node == 3 ? 1 : 0), RequestRate.perSecond(10), nowNanos);
            board.report(other, node(node), Heat.missRatio(0), RequestRate.perSecond(10), nowNanos);
        }
        GroupPlans plans = plans(1 << 20);
        GroupPlan plan = plans.currentFor(group(1, 2, 3));
        nowNanos += 2 * SECOND;
        settleAll(plans);
        assertSame(plan, plans.currentFor(group(1, 2, 3)));
        for (int node = 1; node <= 3; node++) {
            board.report(other, node(node), Heat.missRatio(0), RequestRate.perSecond(100), nowNanos);
        }
        nowNanos += 2 * SECOND;
        settleAll(plans);
        assertNotSame(plan, plans.currentFor(group(1, 2, 3)));
        assertEquals(2, plans.built());
    }

    @Test
    void aPlanThatSparesANodeIsMadeAnewOnceTheDisksOfAllOthersServeMoreAtATime() {
        for (int node = 1; node <= 3; node++) {
            board.report(TABLE, node(node), Heat.missRatio(node == 3 ? 1 : 0.2), RequestRate.perSecond(100), nowNanos);
        }
        board.warmed(node(3), Set.of(TABLE));
        nowNanos += 2 * SECOND;
        GroupPlans plans = plans(1 << 20);
        GroupPlan plan = plans.currentFor(group(1, 2, 3));
        disks.told(node(1), 2);
        disks.told(node(3), 2);
        settleAll(plans);
        assertSame(plan, plans.currentFor(group(1, 2, 3)), "node 2 bears as much and serves one");
        disks.told(node(2), 2);
        settleAll(plans);
        assertNotSame(plan, plans.currentFor(group(1, 2, 3)));
        assertEquals(2, plans.built());
    }

    /** All plans are looked at. */
    private static void settleAll(GroupPlans plans) {
        for (int second = 0; second < 5; second++) {
            plans.settle();
        }
    }

    /** As a snitch that reads a file of which the operator has taken out a node that left. */
    @Test
    void aPlanThatCannotBeLookedAtIsDroppedAndTheOthersAreLookedAt() {
        GroupPlans plans = plans(1 << 20);
        report(1, 0.2);
        report(2, 0.4);
        report(3, 0.8);
        report(4, 0.8);
        GroupKey left = group(1, 2, 4);
        GroupKey all = group(1, 2, 3);
        GroupPlan before = plans.currentFor(all);
        plans.currentFor(left);
        unknown = node(4);
        for (int second = 0; second < 5; second++) {
            plans.settle();
        }
        assertEquals(1, failures.count());
        assertSame(before, plans.currentFor(all));
        unknown = null;
        plans.currentFor(left);
        assertEquals(3, plans.built(), "it was dropped");
    }

    @Test
    void aChangedSettingOutdatesEveryPlan() {
        report(1, 0.2);
        report(2, 0.4);
        report(3, 0.8);
        GroupPlans plans = plans(1 << 20);
        GroupPlan plan = plans.currentFor(group(1, 2, 3));
        switches.use(switches.balance().withPlacement(Placement.AFFINITY), PlacementChoice.AFFINITY);
        assertNotSame(plan, plans.currentFor(group(1, 2, 3)));
    }

    @Test
    void noReadIsForgottenWithThePlanThatDrewIt() {
        report(1, 0.2);
        report(2, 0.4);
        report(3, 0.8);
        GroupPlans plans = plans(4_096);
        int[] places = new int[3];
        for (int read = 0; read < 1_000; read++) {
            int[] nodes = {1 + read % 3, 1 + (read + 1) % 3, 1 + (read + 2) % 3};
            plans.currentFor(group(nodes)).datacenters.get(0).draw(read, false, 0.5, 0.5, 0, places);
            report(3, 0.5 + read % 5 / 10.0);
            if (read % 100 == 0) {
                plans.settle();
            }
        }
        assertEquals(1_000, plans.reads());
        assertTrue(plans.bytes() <= 4_096);
    }

    /** The bytes that are counted are those that the heap has, so that the bound holds: prints what a plan takes. */
    @ParameterizedTest
    @CsvSource({"3, 1024", "5, 2560", "9, 25600"})
    void theBytesAreTheHeaps(int replicas, int mostBytesOfAPlan) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(3);
        for (int node = 1; node <= NODES; node++) {
            report(node, random.nextDouble());
        }
        blockFor = replicas / 2 + 1;
        long mostBytes = 24 << 20;
        long before = UsedHeap.bytes();
        GroupPlans plans = plans(mostBytes);
        int built = 0;
        while (plans.bytes() < mostBytes - 2L * mostBytesOfAPlan) {
            plans.currentFor(anyGroup(replicas, random));
            built++;
        }
        long bytes = plans.bytes();
        long heap = UsedHeap.bytes() - before;
        System.out.printf("RF %d: %d bytes a plan, %d by the heap%n", replicas, bytes / built, heap / built);
        assertEquals(heap, bytes, 0.07 * heap);
        assertTrue(bytes / built <= mostBytesOfAPlan, bytes / built + " bytes a plan");
        for (int more = 0; more < 5_000; more++) {
            plans.currentFor(anyGroup(replicas, random));
            assertTrue(plans.bytes() <= mostBytes);
        }
    }

    private GroupKey anyGroup(int replicas, SplittableRandom random) {
        Set<Integer> nodes = new HashSet<>(Set.of(1));
        while (nodes.size() < replicas) {
            nodes.add(1 + random.nextInt(NODES));
        }
        int[] order = nodes.stream().mapToInt(Integer::intValue).toArray();
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        return group(order);
    }
}
