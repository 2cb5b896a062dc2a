// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/** Says which value rides on a message that is about to leave. */
@FunctionalInterface
public interface Rider {
    /** The value; null when none rides. Asked once for each message, on the thread that sends it. */
    byte[] valueFor(Message<?> message, InetAddressAndPort to);
}
