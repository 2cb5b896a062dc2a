// SPDX-License-Identifier: Apache-2.0
/**
 * Cassandra 5.0, as far as 4.1 has the same. Two classes in Cassandra's own packages belong to it, as the members that
 * they use are visible only there. Knows {@code version} and {@code schema}.
 */
package dev.isotherm.cassandra.version50;
