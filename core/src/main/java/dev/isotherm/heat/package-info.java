// SPDX-License-Identifier: Apache-2.0
/**
 * Heat-weighted reads: the share of a table's reads that each replica should serve, the replicas that one read
 * contacts, and the reports from which all nodes compute the same shares.
 *
 * <p>The way of one decision: nodes publish a {@link dev.isotherm.heat.HeatReport}; a
 * {@link dev.isotherm.heat.HeatBoard} keeps the heats last reported; a {@link dev.isotherm.heat.ReadPlan} is built from
 * the board whenever a heat changes; each read costs one {@link dev.isotherm.heat.ReadPlan#order draw}. Clocks and
 * random numbers are always parameters.
 */
package dev.isotherm.heat;
