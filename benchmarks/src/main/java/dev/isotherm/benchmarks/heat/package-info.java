// SPDX-License-Identifier: Apache-2.0
/** What a read pays for being balanced: drawing an order, building a plan, decoding a report. */
package dev.isotherm.benchmarks.heat;
