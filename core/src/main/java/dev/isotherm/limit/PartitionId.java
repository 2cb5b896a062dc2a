// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** The name of what is limited, a partition of a table and an operation, in 64 well-mixed bits: the same on every node. */
public final class PartitionId {
    private PartitionId() {}

    /** The id; two partitions share one with the odds of two random 64-bit numbers. */
    public static long of(long tableMsb, long tableLsb, Operation operation, long token) {
        long table = Mixing.mix(tableMsb + Mixing.GOLDEN) + tableLsb;
        long subject = Mixing.mix(table + (operation == Operation.READ ? Mixing.GOLDEN : 2 * Mixing.GOLDEN));
        return Mixing.mix(subject + token);
    }
}
