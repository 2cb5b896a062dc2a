// SPDX-License-Identifier: Apache-2.0
/**
 * What differs between release lines of Cassandra, as one interface; the entry chooses the line. Knows nothing else of
 * the plugin.
 */
package dev.isotherm.cassandra.version;
