// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.HeapBytes;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/**
 * The key of a replica group: the replicas of a token in ring order, the live ones among them, the table and the
 * consistency level.
 */
final class GroupKey {
    final TableId table;
    final ConsistencyLevel consistencyLevel;
    final InetAddressAndPort[] endpoints;
    /** Bit i is set when endpoint i is alive. */
    final long live;

    /** A number, a set of bits and the references to three objects, of which the key owns one. */
    private static final int FIELD_BYTES = Integer.BYTES + Long.BYTES + 3 * HeapBytes.REFERENCE;

    private final int hash;

    GroupKey(TableId table, ConsistencyLevel consistencyLevel, EndpointsForToken replicas, DeadNodes dead) {
        this.table = table;
        this.consistencyLevel = consistencyLevel;
        this.endpoints = new InetAddressAndPort[replicas.size()];
        int result = 31 * table.hashCode() + consistencyLevel.ordinal();
        for (int i = 0; i < endpoints.length; i++) {
            endpoints[i] = replicas.get(i).endpoint();
            result = 31 * result + endpoints[i].hashCode();
        }
        this.live = dead.liveMask(endpoints);
        this.hash = 31 * result + Long.hashCode(live);
    }

    boolean isLive(int index) {
        return (live & (1L << index)) != 0;
    }

    /** What the key takes on the heap, without the nodes and the table, which are shared. */
    long bytes() {
        return HeapBytes.object(FIELD_BYTES) + HeapBytes.array(endpoints.length, HeapBytes.REFERENCE);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof GroupKey)) {
            return false;
        }
        GroupKey that = (GroupKey) other;
        if (hash != that.hash
                || live != that.live
                || consistencyLevel != that.consistencyLevel
                || endpoints.length != that.endpoints.length
                || !table.equals(that.table)) {
            return false;
        }
        for (int i = 0; i < endpoints.length; i++) {
            // Cassandra has one object for each node's address, mostly.
            if (endpoints[i] != that.endpoints[i] && !endpoints[i].equals(that.endpoints[i])) {
                return false;
            }
        }
        return true;
    }
}
