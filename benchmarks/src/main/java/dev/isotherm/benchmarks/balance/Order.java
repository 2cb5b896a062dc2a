// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

/** In which order a coordinator contacts replicas. */
interface Order {
    /**
     * Orders the living replicas of a partition in the coordinator's datacenter.
     *
     * @param living these replicas, one or more, in the ring's order
     * @param into receives them, in the order of contact; as long as living
     */
    void order(int partition, int[] living, int[] into);

    /** An answer has come after so many nanoseconds. */
    default void answered(int replica, long nanos) {}

    /** Whether a read of another node that has no answer in time counts as one that took as long as it may. */
    default boolean countsExpired() {
        return false;
    }
}
