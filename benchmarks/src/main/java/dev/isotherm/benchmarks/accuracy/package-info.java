// SPDX-License-Identifier: Apache-2.0
/**
 * How exactly the per-partition limits hold: a discrete-event simulation of several nodes in virtual time, with the
 * limiters and ledgers of core themselves.
 */
package dev.isotherm.benchmarks.accuracy;
