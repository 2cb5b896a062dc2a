// SPDX-License-Identifier: Apache-2.0
/** What choosing the leader of a counter update costs, beside a random pick. */
package dev.isotherm.benchmarks.queue;
