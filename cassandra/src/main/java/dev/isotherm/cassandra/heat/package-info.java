// SPDX-License-Identifier: Apache-2.0
/**
 * Heat-weighted reads in a node: measures the node's heat, tells and hears heats by gossip and on read responses, and
 * orders the replicas of a read by core's plans. Knows core and the mechanisms, and no other feature.
 */
package dev.isotherm.cassandra.heat;
