// SPDX-License-Identifier: Apache-2.0
/**
 * The virtual tables and metrics that no feature owns: settings, counts, and whether the next node may restart. Knows
 * core's {@code rollout} and {@code runtime}.
 */
package dev.isotherm.cassandra.views;
