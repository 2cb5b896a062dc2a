// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import org.apache.cassandra.net.Message;

/** Takes the value off a message that has arrived. */
@FunctionalInterface
public interface Receiver {
    /** Whether Cassandra gets the message too; false when it was meant for the plugin alone. */
    boolean received(Message<?> message, byte[] value);
}
