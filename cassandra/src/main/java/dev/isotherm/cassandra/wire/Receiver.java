// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import org.apache.cassandra.net.Message;

/** Receives the value of an incoming message. */
@FunctionalInterface
public interface Receiver {
    /** Returns whether Cassandra also gets the message; false if the message is for the plugin alone. */
    boolean received(Message<?> message, byte[] value);
}
