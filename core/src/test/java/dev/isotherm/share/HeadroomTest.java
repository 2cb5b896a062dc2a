// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeadroomTest {
    /** Operations of so many seconds, each of which stands for so many; of 32 threads and of sixteen. */
    @ParameterizedTest
    @CsvSource({
        "0.005, 2, 32, 0.015",
        "0.33, 1, 32, 0.015",
        "0.12, 2, 32, 0.03125",
        "0.12, 2, 16, 0.0625",
        "0.33, 2, 32, 0.07",
        "3, 50, 16, 0.07"
    })
    void longOperationsThatOthersHaveThinnedLeaveMore(double seconds, int weight, int threads, double part) {
        WatchedPartition partition = new WatchedPartition(1, 8);
        for (int i = 0; i < 100; i++) {
            partition.refuses(1, 0, weight);
            partition.ended((long) (seconds * 1e9), true);
        }
        partition.look(0.1, 0.8, true);
        assertEquals((1 - part) * threads, givenAway(threads, threads, partition), 1e-3);
        assertEquals(0.985 * threads / 2, givenAway(threads / 2.0, threads, partition), 1e-9, "of a scarce disk");
    }

    /** A partition counts by the threads that are busy with it. */
    @ParameterizedTest
    @CsvSource({"8, 0.03125", "24, 0.015625"})
    void besideOneOfThisNodeItIsLess(double others, double part) {
        WatchedPartition thinned = new WatchedPartition(1, 8);
        thinned.refuses(1, 0, 10);
        thinned.ended(240_000_000, true);
        thinned.look(0.1, 0.8, true);
        WatchedPartition own = new WatchedPartition(2, others);
        assertEquals((1 - part) * 32, givenAway(32, 32, thinned, own), 1e-3);
        assertEquals(0.985 * 32, givenAway(32, 32), 1e-9);
    }

    private static double givenAway(double available, int threads, WatchedPartition... present) {
        return Headroom.givenAway(available, present, threads);
    }
}
