// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class GroupKeyTest {
    private static final TableId TABLE = TableId.fromUUID(new UUID(1, 1));
    private static final TableId OTHER = TableId.fromUUID(new UUID(1, 2));

    private static EndpointsForToken replicas(long token, int... nodes) {
        Token at = new LongToken(token);
        Range<Token> all = new Range<>(
                Murmur3Partitioner.instance.getMinimumToken(), Murmur3Partitioner.instance.getMinimumToken());
        EndpointsForToken.Builder builder = EndpointsForToken.builder(at);
        for (int node : nodes) {
            builder.add(Replica.fullReplica(node(node), all));
        }
        return builder.build();
    }

    private static DeadNodes dead(int... nodes) {
        Set<InetAddressAndPort> dead = new HashSet<>();
        for (int node : nodes) {
            dead.add(node(node));
        }
        DeadNodes copy = new DeadNodes(() -> dead);
        copy.refresh();
        return copy;
    }

    @Test
    void tokensOfOneGroupShareAKey() {
        GroupKey one = new GroupKey(TABLE, ConsistencyLevel.QUORUM, replicas(1, 1, 2, 3), dead());
        GroupKey two = new GroupKey(TABLE, ConsistencyLevel.QUORUM, replicas(2, 1, 2, 3), dead());
        assertEquals(one, two);
        assertEquals(one.hashCode(), two.hashCode());
    }

    @Test
    void whateverAPlanDependsOnSetsKeysApart() {
        GroupKey key = new GroupKey(TABLE, ConsistencyLevel.QUORUM, replicas(1, 1, 2, 3), dead());
        assertNotEquals(key, new GroupKey(OTHER, ConsistencyLevel.QUORUM, replicas(1, 1, 2, 3), dead()));
        assertNotEquals(key, new GroupKey(TABLE, ConsistencyLevel.ONE, replicas(1, 1, 2, 3), dead()));
        assertNotEquals(key, new GroupKey(TABLE, ConsistencyLevel.QUORUM, replicas(1, 2, 1, 3), dead()));
        assertNotEquals(key, new GroupKey(TABLE, ConsistencyLevel.QUORUM, replicas(1, 1, 2), dead()));
        assertNotEquals(key, new GroupKey(TABLE, ConsistencyLevel.QUORUM, replicas(1, 1, 2, 3), dead(3)));
    }

    @Test
    void theLiveMaskTellsWhoLives() {
        GroupKey key = new GroupKey(TABLE, ConsistencyLevel.QUORUM, replicas(1, 1, 2, 3), dead(2));
        assertTrue(key.isLive(0));
        assertFalse(key.isLive(1));
        assertTrue(key.isLive(2));
    }
}
