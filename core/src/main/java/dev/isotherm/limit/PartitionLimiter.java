// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/**
 * Decides, per partition, which operations are admitted, and accounts them in one fixed block of memory. Thread safe,
 * lock-free, allocation-free. Partitions are {@link PartitionId ids}; all instants are readings of one clock, which the
 * implementation names.
 */
public interface PartitionLimiter {
    /**
     * Decides about operations on a partition and, if they are admitted, accounts them.
     *
     * @param limit operations a second, 0 or above; 0 (and below) rejects everything
     * @param operations the number of operations to account, above 0; usually 1
     * @param random any 32 bits; limiters that agree about the partition's state decide the same with the same bits
     */
    Decision admit(long partition, int limit, double operations, int random, long nowNanos);

    /** Accounts operations that another node admitted; never rejects. */
    void account(long partition, int limit, double operations, long nowNanos);

    /** Reverses the accounting of {@link #admit}, because another partition of the same request was rejected. */
    void refund(long partition, int limit, double operations, long nowNanos);

    /**
     * Clears the slots of partitions without debt or count; call it about once a minute.
     *
     * @return the number of partitions that remain
     */
    int sweep(long nowNanos);

    /** Operations admitted without being accounted, because the block was full. */
    long uncounted();

    /** Partitions that lost their slot to a partition with more debt or a higher count. */
    long evicted();

    /** The memory of the block, in bytes. */
    long bytes();
}
