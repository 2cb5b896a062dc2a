// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** How long the operations of the partitions take that are not large. */
final class SmallOperations {
    /** The mean time of fewer operations than these says nothing. */
    private static final double LEAST_OPERATIONS = 10;

    private SmallOperations() {}

    /**
     * The geometric mean of their time, in nanoseconds: unlike the arithmetic one it hardly changes when a partition
     * with costly operations becomes large. NaN if there are too few.
     *
     * @param totalNanos the time of all partitions
     */
    static double nanos(ServedTime times, long totalNanos) {
        long large = (long) (totalNanos * FairShare.WATCHED_SHARE);
        double[] sums = new double[2];
        times.forEach((partition, nanos, operations) -> {
            if (nanos < large && nanos > 0 && operations > 0) {
                sums[0] += operations * Math.log(nanos / operations);
                sums[1] += operations;
            }
        });
        return sums[1] < LEAST_OPERATIONS ? Double.NaN : Math.exp(sums[0] / sums[1]);
    }
}
