// SPDX-License-Identifier: Apache-2.0
/** What a decision about a partition's limit costs, measured by JMH beside its rivals in the same run. */
package dev.isotherm.benchmarks.limit;
