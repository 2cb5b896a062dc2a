// SPDX-License-Identifier: Apache-2.0
/**
 * The operator's file, {@code isotherm.yaml}: where it is, which keys it has, and what is wrong with it. Reads values,
 * refuses mistakes with a sentence that names the key, and keeps the settings that are to outlive the process. Knows
 * nothing else of the plugin.
 */
package dev.isotherm.cassandra.config;
