// SPDX-License-Identifier: Apache-2.0
/**
 * Rolling restarts: whether a node that has restarted serves like its peers again, so that the next one may restart.
 */
package dev.isotherm.rollout;
