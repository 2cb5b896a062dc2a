// SPDX-License-Identifier: Apache-2.0
/**
 * Heat-weighted reads: how many of a table's reads each replica should serve, which replicas one
 * read contacts, and what nodes tell each other so that all of them come to the same answer.
 *
 * <p>The way of one decision: nodes publish a {@link dev.isotherm.heat.HeatReport}, a {@link
 * dev.isotherm.heat.HeatBoard} keeps what is believed, a {@link dev.isotherm.heat.ReadPlan} is
 * built from it whenever it changes, and each read costs one {@link
 * dev.isotherm.heat.ReadPlan#order draw}. Clocks and random numbers are always handed in.
 */
package dev.isotherm.heat;
