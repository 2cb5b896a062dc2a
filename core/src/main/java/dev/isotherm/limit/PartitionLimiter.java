// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/**
 * Decides and accounts, per partition, how many operations a second go ahead, in one fixed block of
 * memory. Thread safe, lock-free, allocation-free. Partitions are {@link PartitionId ids}; all
 * instants are of the one clock that the implementation asks for.
 */
public interface PartitionLimiter {
    /**
     * Decides about operations on a partition and, when they go ahead, accounts them.
     *
     * @param limit operations a second, 0 or above; 0 (and below) rejects everything
     * @param operations for how many it counts, above 0; usually 1
     * @param random any 32 bits; limiters that agree about the partition decide alike by the same bits
     */
    Decision admit(long partition, int limit, double operations, int random, long nowNanos);

    /** Accounts operations that were admitted elsewhere; never refuses. */
    void account(long partition, int limit, double operations, long nowNanos);

    /** Takes back what {@link #admit} accounted: another partition of the same request was rejected. */
    void refund(long partition, int limit, double operations, long nowNanos);

    /**
     * Clears what no longer counts; call it about once a minute.
     *
     * @return how many partitions still count
     */
    int sweep(long nowNanos);

    /** Operations that went ahead without being accounted because the block was full. */
    long uncounted();

    /** Partitions that were forgotten early, for one that owes more. */
    long evicted();

    /** The memory of the block, in bytes. */
    long bytes();
}
