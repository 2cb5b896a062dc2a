// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.queue.VirtualCluster.Rule;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many coordinators whose knowledge of each other is out of date: no replica is overrun by all of them, a slow replica
 * leads almost nothing, and leaders are spread evenly over the others.
 *
 * <p>A well node serves eight writes at a time in 10 ms each, 800 a second; the load is half to two thirds of what the
 * well nodes can serve.
 */
class VirtualClusterTest {
    private static final double WELL_NANOS = 10e6;
    private static final double SLOW_NANOS = 200e6;
    private static final double SLOW_PER_SECOND = 40;
    private static final int SERVERS = 8;

    private static VirtualCluster run(Rule rule, int softLimit, int nodes, int slow, double perSecond) {
        return run(rule, softLimit, nodes, slow, perSecond, 8);
    }

    private static VirtualCluster run(Rule rule, int softLimit, int nodes, int slow, double perSecond, double seconds) {
        double[] service = new double[nodes];
        Arrays.fill(service, WELL_NANOS);
        Arrays.fill(service, 0, slow, SLOW_NANOS);
        QueueSettings settings = new QueueSettings(softLimit, 50, 1_000_000_000, 100_000_000);
        return new VirtualCluster(rule, settings, service, SERVERS, 500_000, perSecond, 7).run(4, seconds);
    }

    private static double perSecond(int nodes, int slow) {
        return (nodes - slow) * 800 * (slow == 0 ? 0.5 : 0.65);
    }

    @ParameterizedTest
    @CsvSource({"3, 100", "3, 32", "6, 32", "30, 32"})
    void withAllWellLeadersAreSpreadAsEvenlyAsAtRandom(int nodes, int softLimit) {
        // The 99th percentile of 8 s is uncertain by 2 %.
        VirtualCluster cluster = run(Rule.QUEUES, softLimit, nodes, 0, perSecond(nodes, 0), 24);
        VirtualCluster random = run(Rule.RANDOM, softLimit, nodes, 0, perSecond(nodes, 0), 24);
        for (int node = 0; node < nodes; node++) {
            assertEquals(1.0 / nodes, cluster.shareOf(node), 0.05 / nodes, cluster::toString);
            assertTrue(cluster.deepest[node] <= 32, cluster::toString);
        }
        assertTrue(cluster.latencyMillis(.99) <= 1.02 * random.latencyMillis(.99), cluster + "\n" + random);
    }

    /**
     * Without weights: the slow replica leads as many writes as it can serve, and no queue is longer than the limit
     * plus the messages on their way, of each other coordinator one or two.
     */
    @ParameterizedTest
    @CsvSource({"3, 1, 100", "3, 1, 32", "3, 2, 100", "6, 1, 32", "6, 2, 100", "6, 2, 32"})
    void slowReplicasLeadWhatTheyCanServeAndNoMore(int nodes, int slow, int softLimit) {
        double perSecond = perSecond(nodes, slow);
        VirtualCluster cluster = run(Rule.QUEUES, softLimit, nodes, slow, perSecond);
        VirtualCluster random = run(Rule.RANDOM, softLimit, nodes, slow, perSecond);
        for (int node = 0; node < nodes; node++) {
            if (node < slow) {
                assertTrue(cluster.shareOf(node) < 1.1 * SLOW_PER_SECOND / perSecond, cluster::toString);
                assertTrue(cluster.deepest[node] <= softLimit + 2 * nodes, cluster::toString);
                assertTrue(random.deepest[node] > 1_000, random::toString);
            } else {
                assertTrue(cluster.deepest[node] <= 40, cluster::toString);
            }
        }
        assertEquals(0, cluster.decisions(DecisionKind.TIMED_OUT) + cluster.decisions(DecisionKind.RANDOM));
    }

    /** As where clients know one node, and it is slow: nobody else has led anything, and can tell how long it takes. */
    @Test
    void aSlowNodeThatAloneCoordinatesLearnsThatItIsSlow() {
        double[] service = {SLOW_NANOS, WELL_NANOS, WELL_NANOS};
        QueueSettings settings = new QueueSettings(100, 50, 1_000_000_000, 100_000_000);
        VirtualCluster cluster = new VirtualCluster(Rule.WEIGHED_QUEUES, settings, service, SERVERS, 500_000, 20, 7)
                .coordinatedBy(0)
                .run(4, 60);
        assertTrue(cluster.shareOf(0) < 0.02, cluster::toString);
        VirtualCluster random = new VirtualCluster(Rule.RANDOM, settings, service, SERVERS, 500_000, 20, 7)
                .coordinatedBy(0)
                .run(4, 60);
        assertTrue(cluster.latencyMillis(.9) < 0.5 * random.latencyMillis(.9), cluster + "\n" + random);
        assertTrue(cluster.latencyMillis(.5) <= 1.1 * random.latencyMillis(.5), cluster + "\n" + random);
    }

    /** As where clients know one node, and all are well: as many threads serve as with random leaders. */
    @ParameterizedTest
    @ValueSource(ints = {32, 33, 48, 64, 96, 128, 192})
    void whereOneNodeCoordinatesTheThreadsOfAllServe(int underWay) {
        VirtualCluster cluster = ofThreadsAsCassandras(Rule.WEIGHED_QUEUES, WELL_NANOS, underWay)
                .coordinatedBy(0)
                .run(2, 20);
        VirtualCluster random = ofThreadsAsCassandras(Rule.RANDOM, WELL_NANOS, underWay)
                .coordinatedBy(0)
                .run(2, 20);
        assertTrue(cluster.done() >= random.done(), cluster + "\n" + random);
        assertTrue(cluster.latencyMillis(.5) <= random.latencyMillis(.5), cluster + "\n" + random);
        assertTrue(cluster.latencyMillis(.99) <= 1.02 * random.latencyMillis(.99), cluster + "\n" + random);
        assertEquals(0, cluster.waits(), cluster::toString);
    }

    /** It does not use the threads of a slow one. */
    @Test
    void whereOneNodeCoordinatesASlowOneLeadsNothing() {
        VirtualCluster cluster = ofThreadsAsCassandras(Rule.WEIGHED_QUEUES, SLOW_NANOS, 96)
                .coordinatedBy(0)
                .run(2, 20);
        assertTrue(cluster.shareOf(1) < 0.001, cluster::toString);
        assertEquals(0.5, cluster.shareOf(2), 0.02, cluster::toString);
    }

    /** What is led elsewhere costs messages, and is served no sooner where all have as much to do. */
    @ParameterizedTest
    @ValueSource(ints = {48, 96, 150, 240})
    void whereAllCoordinateEachLeadsItsOwn(int underWay) {
        VirtualCluster cluster =
                ofThreadsAsCassandras(Rule.WEIGHED_QUEUES, WELL_NANOS, underWay).run(2, 20);
        VirtualCluster random =
                ofThreadsAsCassandras(Rule.RANDOM, WELL_NANOS, underWay).run(2, 20);
        assertTrue(cluster.decisions(DecisionKind.REDIRECTED) < 0.03 * cluster.done(), cluster::toString);
        assertTrue(cluster.done() > random.done(), cluster + "\n" + random);
    }

    /** Three nodes that serve 32 at a time, the second one in this time each. */
    private static VirtualCluster ofThreadsAsCassandras(Rule rule, double secondNanos, int underWay) {
        double[] service = {WELL_NANOS, secondNanos, WELL_NANOS};
        return new VirtualCluster(rule, QueueSettings.defaults(), service, 32, 500_000, 0, 7).withUnderWay(underWay);
    }

    /**
     * With weighed queues the slow node leads almost nothing, and the tail stays near that of a cluster of well nodes.
     */
    @ParameterizedTest
    @CsvSource({"3, 1, 32", "6, 1, 32", "6, 2, 32", "3, 1, 100", "6, 2, 100"})
    void weighedQueuesKeepSlowReplicasOutOfTheTail(int nodes, int slow, int softLimit) {
        VirtualCluster well = run(Rule.WEIGHED_QUEUES, softLimit, nodes, 0, perSecond(nodes, 0));
        VirtualCluster cluster = run(Rule.WEIGHED_QUEUES, softLimit, nodes, slow, perSecond(nodes, slow));
        // An update counts as 20 while it waits, and an idle slow node as 152, (20 - 1) * 8: it has reached the limit.
        for (int node = 0; node < slow; node++) {
            assertTrue(cluster.shareOf(node) < 0.001, cluster::toString);
        }
        assertTrue(cluster.latencyMillis(.99) < 1.5 * well.latencyMillis(.99), cluster + "\n" + well);
    }

    /**
     * A slow node, as a coordinator, sends its overflow to both other nodes alike, not to the one it has heard of last.
     */
    @Test
    void theOverflowOfASlowNodeIsSpread() {
        VirtualCluster cluster = run(Rule.QUEUES, 32, 3, 1, 1_200);
        assertEquals(cluster.shareOf(1), cluster.shareOf(2), 0.02, cluster::toString);
    }

    /** Limits that the queues of well nodes reach too: the slow node's own queue does not get the whole overflow. */
    @ParameterizedTest
    @CsvSource({"3, 1, 8", "6, 2, 8", "6, 2, 4"})
    void aLimitThatIsTooLowForTheLoadLetsNoQueueGrow(int nodes, int slow, int softLimit) {
        VirtualCluster cluster = run(Rule.QUEUES, softLimit, nodes, slow, perSecond(nodes, slow));
        for (int node = 0; node < nodes; node++) {
            assertTrue(cluster.deepest[node] <= 60, cluster::toString);
        }
    }

    /**
     * The load exceeds the capacity of all nodes: all queues grow alike, no decision waits for answers, and questions
     * are rare.
     */
    @ParameterizedTest
    @CsvSource({"3", "6"})
    void whereAllAreTooBusyQueuesGrowAlikeAndNobodyWaits(int nodes) {
        VirtualCluster cluster = run(Rule.QUEUES, 32, nodes, 0, 1.2 * nodes * 800);
        long longest = Arrays.stream(cluster.deepest).max().getAsLong();
        long shortest = Arrays.stream(cluster.deepest).min().getAsLong();
        assertTrue(longest > 1_000 && longest < 2 * shortest, cluster::toString);
        // Two questions a second for each pair of nodes would keep every answer fresh.
        assertTrue(cluster.waits() == 0 && cluster.questions() <= 8 * 2 * nodes * (nodes - 1), cluster::toString);
    }

    /**
     * From second to second no well node's share swings, as it would if all coordinators changed their choice together.
     */
    @ParameterizedTest
    @CsvSource({"3, 1, 32", "6, 2, 32", "6, 2, 8"})
    void noFlapping(int nodes, int slow, int softLimit) {
        double[] service = new double[nodes];
        Arrays.fill(service, WELL_NANOS);
        Arrays.fill(service, 0, slow, SLOW_NANOS);
        double perSecond = perSecond(nodes, slow);
        QueueSettings settings = new QueueSettings(softLimit, 50, 1_000_000_000, 100_000_000);
        VirtualCluster cluster = new VirtualCluster(Rule.QUEUES, settings, service, SERVERS, 500_000, perSecond, 11);
        cluster.run(3, 10);
        double[] whole = new double[nodes];
        for (int node = 0; node < nodes; node++) {
            whole[node] = cluster.shareOf(node);
        }
        for (int second = 0; second < 10; second++) {
            cluster.forgetCounts();
            cluster.run(0, 1);
            for (int node = slow; node < nodes; node++) {
                // Poisson alone makes the count of a second vary by its root.
                double expected = whole[node] * perSecond;
                assertEquals(expected, cluster.leaders[node], 5 * Math.sqrt(expected), cluster::toString);
            }
        }
    }

    /** A node that slows down is left within a second, and comes back when it has recovered. */
    @Test
    void aNodeSlowsDownAndRecovers() {
        double[] service = {WELL_NANOS, WELL_NANOS, WELL_NANOS};
        QueueSettings settings = new QueueSettings(32, 50, 1_000_000_000, 100_000_000);
        VirtualCluster cluster = new VirtualCluster(Rule.QUEUES, settings, service, SERVERS, 500_000, 1_000, 3);
        cluster.run(5, 5);
        assertEquals(1.0 / 3, cluster.shareOf(0), 0.03, cluster::toString);
        cluster.changeService(0, SLOW_NANOS);
        cluster.forgetCounts();
        cluster.run(1, 10);
        assertTrue(cluster.shareOf(0) < 0.05 && cluster.deepest[0] <= 40, cluster::toString);
        cluster.changeService(0, WELL_NANOS);
        cluster.forgetCounts();
        cluster.run(5, 10);
        assertEquals(1.0 / 3, cluster.shareOf(0), 0.03, cluster::toString);
    }

    /**
     * Six nodes 5 ms apart and so few writes that every answer is old by the next one: nobody waits for answers once
     * all have been heard, a write takes as long as in plain Cassandra or less, and a slow node leads hardly any.
     */
    @ParameterizedTest
    @CsvSource({"2, 0", "2, 1", "0.5, 1"})
    void whereWritesAreFewNobodyWaitsForAnswers(double perSecond, int slow) {
        VirtualCluster cluster = atAFewWrites(Rule.WEIGHED_QUEUES, perSecond, slow, 7);
        VirtualCluster random = atAFewWrites(Rule.RANDOM, perSecond, slow, 7);
        // A slow node's own queue counts as long: it waits with the half of its writes that it is a replica for.
        assertTrue(cluster.waits() <= (slow / 12.0 + 0.01) * 2_000, cluster::toString);
        assertTrue(cluster.latencyMillis(.5) < random.latencyMillis(.5) + 1, cluster + "\n" + random);
        if (slow > 0) {
            assertTrue(cluster.shareOf(0) < 0.05 && random.shareOf(0) > 0.1, cluster + "\n" + random);
            assertTrue(cluster.latencyMillis(.9) < 0.5 * random.latencyMillis(.9), cluster + "\n" + random);
        }
    }

    /** As docs/counter-leaders.md says: a replica leads what it coordinates, which saves a way there and back. */
    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9, 10, 11})
    void whereWritesAreFewTheMedianIsBelowThatOfARandomLeader(long seed) {
        double median = atAFewWrites(Rule.WEIGHED_QUEUES, 2, 0, seed).latencyMillis(.5);
        double random = atAFewWrites(Rule.RANDOM, 2, 0, seed).latencyMillis(.5);
        assertTrue(median < 14 && median < random - 1.5, median + " ms, " + random + " with a random leader");
    }

    /** 2,000 writes after the first 1,000. */
    private static VirtualCluster atAFewWrites(Rule rule, double perSecond, int slow, long seed) {
        double[] service = new double[6];
        Arrays.fill(service, WELL_NANOS);
        Arrays.fill(service, 0, slow, SLOW_NANOS);
        return new VirtualCluster(rule, QueueSettings.defaults(), service, SERVERS, 5_000_000, perSecond, seed)
                .run(1_000 / perSecond, 2_000 / perSecond);
    }
}
