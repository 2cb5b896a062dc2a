// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks of guarding a read, beside the work of Cassandra's dynamic snitch for each answer. */
package dev.isotherm.benchmarks.guard;
