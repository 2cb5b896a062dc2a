// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.locator.InetAddressAndPort;

/** One replica's rejection of one message of a request. Immutable. */
final class ReplicaRejection {
    final DelegatedRequest request;
    /** The mutation in the message; null for a read. */
    final Mutation mutation;

    final InetAddressAndPort replica;

    ReplicaRejection(DelegatedRequest request, Mutation mutation, InetAddressAndPort replica) {
        this.request = request;
        this.mutation = mutation;
        this.replica = replica;
    }
}
