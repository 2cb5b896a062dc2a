// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version41;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.CassandraVersion;
import org.apache.cassandra.utils.FBUtilities;

/** Whether another node of the cluster is alive, and its release. */
final class OtherNode {
    private final boolean alive;
    /** Null if nobody has said. */
    private final CassandraVersion release;

    OtherNode(boolean alive, CassandraVersion release) {
        this.alive = alive;
        this.release = release;
    }

    /** The other nodes that gossip knows, but those that have left. */
    static List<OtherNode> inGossip() {
        List<OtherNode> nodes = new ArrayList<>();
        for (InetAddressAndPort node : Gossiper.instance.getEndpoints()) {
            EndpointState state = Gossiper.instance.getEndpointStateForEndpoint(node);
            if (state == null || node.equals(FBUtilities.getBroadcastAddressAndPort()) || hasLeft(state)) {
                continue;
            }
            CassandraVersion told = state.getReleaseVersion();
            // Of a node that has not been heard since this one started the tables know it.
            nodes.add(new OtherNode(state.isAlive(), told == null ? SystemKeyspace.getReleaseVersion(node) : told));
        }
        return nodes;
    }

    /** Gossip counts a node that hibernates among the dead ones, which runs and hears. */
    static boolean hasLeft(EndpointState state) {
        return Gossiper.instance.isDeadState(state) && !VersionedValue.HIBERNATE.equals(state.getStatus());
    }

    /**
     * Whether these nodes, all others of the cluster, take padding states: none is of before 4.0, nor of those that
     * are down, and one at least is alive. Before the first is heard nobody knows of the rest, and nobody hears the
     * state.
     */
    static boolean allTakePaddingStates(List<OtherNode> others) {
        boolean heard = false;
        for (OtherNode other : others) {
            if (other.release == null ? other.alive : other.release.compareTo(CassandraVersion.CASSANDRA_4_0) < 0) {
                return false;
            }
            heard |= other.alive;
        }
        return heard;
    }
}
