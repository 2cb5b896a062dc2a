// SPDX-License-Identifier: Apache-2.0
/**
 * What the features of a node run on: switches and settings, failures and rationed log lines, periodic tasks, the
 * statement in progress and its interceptors. Knows core's {@code warming} alone.
 */
package dev.isotherm.cassandra.runtime;
