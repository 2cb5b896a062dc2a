// SPDX-License-Identifier: Apache-2.0
/**
 * The table option {@code per_partition_rate_limit}: its text, and the limits that it says. Knows core's
 * {@code limit}, {@code version} and {@code runtime}.
 */
package dev.isotherm.cassandra.schema;
