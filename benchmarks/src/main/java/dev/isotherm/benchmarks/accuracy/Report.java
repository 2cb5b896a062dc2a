// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.PartitionLimiter;
import java.util.Arrays;

/** The report in one message to another replica: partitions, and the number of operations admitted on each. */
final class Report implements AdmissionLedger.Entry<Node, String> {
    private long[] partitions = new long[4];
    private int[] limits = new int[4];
    private double[] operations = new double[4];
    private int size;

    @Override
    public void untold(long partition, int limit, double admitted, Node group, String key) {
        if (size == partitions.length) {
            partitions = Arrays.copyOf(partitions, 2 * size);
            limits = Arrays.copyOf(limits, 2 * size);
            operations = Arrays.copyOf(operations, 2 * size);
        }
        partitions[size] = partition;
        limits[size] = limit;
        operations[size++] = admitted;
    }

    void accountTo(PartitionLimiter limiter, long nowNanos) {
        for (int i = 0; i < size; i++) {
            limiter.account(partitions[i], limits[i], operations[i], nowNanos);
        }
    }
}
