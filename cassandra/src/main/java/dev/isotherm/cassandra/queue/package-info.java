// SPDX-License-Identifier: Apache-2.0
/**
 * The leaders of counter updates in a node: hears the depths of the replicas' queues of counter updates, and has
 * Cassandra pick the leader that core chooses by them. Knows core and the mechanisms, and no other feature.
 */
package dev.isotherm.cassandra.queue;
