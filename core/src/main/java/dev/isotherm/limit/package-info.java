// SPDX-License-Identifier: Apache-2.0
/**
 * Per-partition rate limits: the reads and writes a second that each partition of a table is allowed, counted in a
 * fixed amount of memory, and the reports with which the replicas of a partition hold its limit together.
 *
 * <p>The way of one operation: a {@link dev.isotherm.limit.PartitionLimiter} decides by its
 * {@link dev.isotherm.limit.PartitionId}. An {@link dev.isotherm.limit.AdmissionLedger} collects the operations that
 * were admitted near the limit. The ledger is drained into an {@link dev.isotherm.limit.AdmissionReport} for each other
 * replica, whose limiter accounts these operations. {@link dev.isotherm.limit.SilentPeers} and
 * {@link dev.isotherm.common.WaitingThreads} bound what it costs to ask a replica first.
 * {@link dev.isotherm.limit.HotPartitions} is for the operator.
 *
 * <p>{@link dev.isotherm.limit.KeyLimits} are the limits of single partitions, on which all nodes agree by merging what
 * they tell each other in a {@link dev.isotherm.limit.KeyLimitsReport}.
 *
 * <p>Clocks and random numbers are always parameters.
 */
package dev.isotherm.limit;
