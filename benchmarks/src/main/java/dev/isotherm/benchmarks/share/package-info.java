// SPDX-License-Identifier: Apache-2.0
/** The cost of fair shares, beside a limit's decision. */
package dev.isotherm.benchmarks.share;
