// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks of choosing the leader of a counter update, beside a random pick. */
package dev.isotherm.benchmarks.queue;
