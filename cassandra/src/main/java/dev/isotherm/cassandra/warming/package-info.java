// SPDX-License-Identifier: Apache-2.0
/**
 * The warming of cold nodes in a node: asks coordinators for copies of reads while its caches are cold, serves them
 * when its disk has room, and sends copies to nodes that ask. Knows core and the mechanisms, and no other feature.
 */
package dev.isotherm.cassandra.warming;
