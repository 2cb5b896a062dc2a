// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import org.apache.cassandra.net.Message;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Whether a message comes from a peer: from that of one address, or from any. What a node sends to itself does not
 * travel.
 */
final class SentByPeer {
    /** Empty: every peer's. */
    private volatile String address = "";

    /** Asks, from now on, for the messages of the peer of that address, or of every peer when empty. */
    void only(String from) {
        address = from;
    }

    boolean is(Message<?> message) {
        if (message.from().equals(FBUtilities.getBroadcastAddressAndPort())) {
            return false;
        }
        String from = address;
        return from.isEmpty() || from.equals(message.from().getHostAddress(false));
    }
}
