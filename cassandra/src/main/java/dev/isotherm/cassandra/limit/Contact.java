// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import org.apache.cassandra.locator.InetAddressAndPort;

/** A partition and a replica of it that was asked to decide. Immutable; equal if both are equal. */
final class Contact {
    private final long partition;
    private final InetAddressAndPort replica;

    Contact(long partition, InetAddressAndPort replica) {
        this.partition = partition;
        this.replica = replica;
    }

    boolean isAbout(long id) {
        return partition == id;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Contact
                && partition == ((Contact) other).partition
                && replica.equals(((Contact) other).replica);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(partition) * 31 + replica.hashCode();
    }
}
