// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of a feature: its name, switch, start, periodic tasks, interceptor of statements, settings, views and
 * counts. Knows {@code wire} and {@code runtime}, and no feature.
 */
package dev.isotherm.cassandra.feature;
