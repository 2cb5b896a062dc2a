// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks of the cost of balancing a read: drawing an order, building a plan, decoding a report. */
package dev.isotherm.benchmarks.heat;
