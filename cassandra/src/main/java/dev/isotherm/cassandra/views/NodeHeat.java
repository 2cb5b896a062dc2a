// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

/** What heat-weighted reads know of one node, over all tables. Immutable. */
public final class NodeHeat {
    /** Stands in where nothing is known of a node. */
    public static final NodeHeat UNKNOWN = new NodeHeat(null, Double.NaN, Double.NaN, Double.NaN);

    final String coldestTable;
    final double timesPeers;
    final double shareWanted;
    final double shareSent;

    /**
     * @param coldestTable the table in which the node is coldest beside its peers; null if that is not known
     * @param timesPeers what a read of that table costs the node, in costs of its peers; NaN if that is not known
     * @param shareWanted the share of this coordinator's contacts that the node should get; NaN before any read
     * @param shareSent the share that it got; NaN before any read
     */
    public NodeHeat(String coldestTable, double timesPeers, double shareWanted, double shareSent) {
        this.coldestTable = coldestTable;
        this.timesPeers = timesPeers;
        this.shareWanted = shareWanted;
        this.shareSent = shareSent;
    }
}
