// SPDX-License-Identifier: Apache-2.0
/**
 * The balance of reads in clusters of up to a thousand nodes: a discrete-event simulation in virtual time, in which
 * core's own classes measure heat, tell it, plan and guard, beside rivals.
 */
package dev.isotherm.benchmarks.balance;
