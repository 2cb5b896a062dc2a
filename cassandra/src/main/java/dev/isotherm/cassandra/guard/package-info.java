// SPDX-License-Identifier: Apache-2.0
/**
 * The guard of reads in a node: hands core's guard the reads that leave and the answers that come, moves avoided
 * replicas behind the others, and sends copies of reads that try them. Knows core and the mechanisms, and no other
 * feature.
 */
package dev.isotherm.cassandra.guard;
