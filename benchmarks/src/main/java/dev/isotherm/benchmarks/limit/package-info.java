// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks of a decision about a partition's limit, beside rivals in the same run. */
package dev.isotherm.benchmarks.limit;
