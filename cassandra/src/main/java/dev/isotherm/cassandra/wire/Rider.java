// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/** Provides the value that an outgoing message carries. */
@FunctionalInterface
public interface Rider {
    /** The value; null for none. Called once per message, on the sending thread. */
    byte[] valueFor(Message<?> message, InetAddressAndPort to);
}
