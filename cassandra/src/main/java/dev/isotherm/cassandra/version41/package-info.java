// SPDX-License-Identifier: Apache-2.0
/**
 * Cassandra 4.1: what differs there from 5.0. Knows {@code version50}, from which it inherits.
 */
package dev.isotherm.cassandra.version41;
