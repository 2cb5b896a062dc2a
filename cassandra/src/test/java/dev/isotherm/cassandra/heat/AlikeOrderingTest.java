// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

/** Reads for which heat draws no replicas, and those replicas that it does not draw. */
class AlikeOrderingTest extends OrderedByHeat {
    private static void assertOrder(EndpointsForToken ordered, Integer... nodes) {
        List<InetAddressAndPort> expected =
                Arrays.stream(nodes).map(number -> node(number)).collect(Collectors.toList());
        assertEquals(expected, ordered.endpointList());
    }

    @Test
    void equallyWarmReplicasAreInTheOperatorsOrder() {
        believe(0.3, 0.3, 0.3);
        assertNull(order(ConsistencyLevel.LOCAL_QUORUM, 1, 2, 1, 3));
        assertOrder(alike, 1, 2, 3);
        assertEquals(1, ordering.unchangedReads());
    }

    /** Nobody knows how warm the replicas of another datacenter are to this coordinator. */
    @Test
    void thoseOfOtherDatacentersAreInTheOrderWithoutThePlugin() {
        believe(0.3, 0.3, 0.3, 0.1, 0.1, 0.1);
        assertNull(order(ConsistencyLevel.ONE, 1, 4, 2, 6, 1, 5, 3));
        assertOrder(alike, 1, 2, 3, 6, 5, 4);
    }

    /** Cassandra drops those elsewhere: nobody is asked for their order. */
    @Test
    void aLevelOfOneDatacenterLeavesTheOthersAsTheOperatorHasIt() {
        believe(0.3, 0.3, 0.3, 0.1, 0.1, 0.1);
        assertNull(order(ConsistencyLevel.LOCAL_QUORUM, 1, 4, 2, 6, 1, 5, 3));
        assertOrder(alike, 1, 2, 3, 4, 6, 5);
        believe(0.2, 0.4, 1);
        assertOrder(order(ConsistencyLevel.LOCAL_QUORUM, 1, 4, 1, 5, 2, 6, 3).subList(3, 6), 4, 5, 6);
    }

    @Test
    void aLevelThatNeedsAllOfTheLocalDatacenterReadsThemAsTheOperatorHasIt() {
        believe(0.2, 0.4, 1, 0.1, 0.1, 0.1);
        assertNull(order(ConsistencyLevel.QUORUM, 1, 4, 1, 5, 2, 6, 3));
        assertOrder(alike, 1, 2, 3, 6, 5, 4);
    }

    @Test
    void whereTheHeatOfOneIsUnknownNoneAreAlike() {
        believe(0.3, 0.3);
        assertNull(order(ConsistencyLevel.QUORUM, 1, 4, 1, 5, 2, 6, 3));
        assertNull(order(ConsistencyLevel.ONE, 1, 1, 2, 3));
        assertNull(alike);
    }

    @Test
    void whatIsNotDrawnFollowsInTheOrderWithoutThePlugin() {
        believe(0.2, 0.4, 1);
        dead.add(node(2));
        deadNodes.refresh();
        EndpointsForToken ordered = order(ConsistencyLevel.ONE, 1, 4, 1, 5, 2, 6, 3);
        assertOrder(ordered.subList(2, 6), 6, 5, 4, 2);
    }
}
