// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.SplitMix64;

/** The id of a partition of a table and of an operation, in 64 well-mixed bits: the same on every node. */
public final class PartitionId {
    private PartitionId() {}

    /** The id. Two partitions have the same id with the probability of two equal random 64-bit numbers. */
    public static long of(long tableMsb, long tableLsb, Operation operation, long token) {
        long table = SplitMix64.mix(tableMsb + SplitMix64.GOLDEN_GAMMA) + tableLsb;
        long subject = SplitMix64.mix(
                table + (operation == Operation.READ ? SplitMix64.GOLDEN_GAMMA : 2 * SplitMix64.GOLDEN_GAMMA));
        return SplitMix64.mix(subject + token);
    }
}
