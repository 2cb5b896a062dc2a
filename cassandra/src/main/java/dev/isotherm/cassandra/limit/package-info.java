// SPDX-License-Identifier: Apache-2.0
/**
 * Limits and fair shares of partitions in a node: finds the partitions of a statement, decides about them on the
 * coordinator or has replicas decide, and makes the clients' rejections. Knows core and the mechanisms, and no other
 * feature.
 */
package dev.isotherm.cassandra.limit;
