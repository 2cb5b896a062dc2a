// SPDX-License-Identifier: Apache-2.0
/**
 * The accuracy of the per-partition limits: a discrete-event simulation of several nodes in virtual time, with core's
 * own limiters and ledgers.
 */
package dev.isotherm.benchmarks.accuracy;
