// SPDX-License-Identifier: Apache-2.0
/**
 * Limits per partition: so many reads and so many writes of each partition of a table a second, in a
 * fixed amount of memory, and what replicas tell each other so that together they admit that many.
 *
 * <p>The way of one operation: its {@link dev.isotherm.limit.PartitionId} goes to a {@link
 * dev.isotherm.limit.PartitionLimiter}; what was admitted near the limit into an {@link
 * dev.isotherm.limit.AdmissionLedger}, which is drained into an {@link
 * dev.isotherm.limit.AdmissionReport} for each other replica, whose limiter accounts it. {@link
 * dev.isotherm.limit.HotPartitions} is for the operator. Clocks and random numbers are always handed in.
 */
package dev.isotherm.limit;
