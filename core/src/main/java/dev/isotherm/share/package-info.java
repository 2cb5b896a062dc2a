// SPDX-License-Identifier: Apache-2.0
/**
 * Fair shares of a saturated node: while requests wait for the threads that serve them, the partitions that hold most
 * of these threads' time are cut, the largest first; otherwise nothing is.
 *
 * <p>{@link dev.isotherm.share.ServedTime} counts who holds how much of the time, {@link dev.isotherm.share.QueueProbe}
 * how long requests wait for a thread. {@link dev.isotherm.share.FairShare} looks at both at regular intervals, and
 * decides about each operation on a {@link dev.isotherm.share.WatchedPartition}.
 * {@link dev.isotherm.share.NamedPartitions} is for the operator. Clocks and random numbers are always parameters.
 */
package dev.isotherm.share;
