// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.locator.InetAddressAndPort;

/** One replica's no to one message of a request. Immutable. */
public final class Rejection {
    final TravellingRequest request;
    /** What the message wrote; null when it read. */
    final Mutation mutation;

    final InetAddressAndPort replica;

    Rejection(TravellingRequest request, Mutation mutation, InetAddressAndPort replica) {
        this.request = request;
        this.mutation = mutation;
        this.replica = replica;
    }
}
