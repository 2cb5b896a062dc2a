// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;

/** The natural replicas of a partition. */
public final class NaturalReplicas {
    private NaturalReplicas() {}

    /** The natural replicas, dead ones included; empty if the keyspace has been dropped. */
    public static EndpointsForToken of(TableMetadata table, Token token) {
        Keyspace keyspace = Schema.instance.getKeyspaceInstance(table.keyspace);
        return keyspace == null
                ? EndpointsForToken.empty(token)
                : keyspace.getReplicationStrategy().getNaturalReplicasForToken(token);
    }
}
