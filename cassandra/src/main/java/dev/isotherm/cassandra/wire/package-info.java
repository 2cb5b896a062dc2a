// SPDX-License-Identifier: Apache-2.0
/**
 * How a value travels between nodes: as a parameter of Cassandra's own messages, as a message of the plugin, or as a
 * gossip state. Carries bytes and knows no feature's meaning of them; knows {@code version} and {@code runtime}.
 */
package dev.isotherm.cassandra.wire;
