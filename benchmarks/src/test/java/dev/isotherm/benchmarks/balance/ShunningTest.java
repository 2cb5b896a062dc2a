// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

/** The rule of Cassandra's dynamic snitch: what is bad puts all into the order by latency, and nothing else does. */
class ShunningTest {
    /** Replicas are numbered in the fixed order. */
    private static void assertOrder(double[] scores, int... expected) {
        int[] order = new int[scores.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        Shunning.sortIfBad(order, replica -> scores[replica]);
        assertArrayEquals(expected, order);
    }

    /** The coordinator itself, a cold node, and a warm one that takes more than twice as long as the coordinator. */
    @Test
    void aBadReplicaComesBehindEachThatIsQuicker() {
        assertOrder(new double[] {0.2, 5, 0.6}, 0, 2, 1);
        assertOrder(new double[] {5, 0.6, 0.2}, 2, 1, 0);
    }

    @Test
    void theFixedOrderStaysWhereNoPlaceOfItIsTwiceAsBadAsItCouldBe() {
        assertOrder(new double[] {0.4, 0.2, 0.3}, 0, 1, 2);
        // The slowest takes more than twice as long as the quickest; its place is no worse than the second best.
        assertOrder(new double[] {0.3, 0.5, 0.2}, 0, 1, 2);
        assertOrder(new double[] {0.2, 0.6, 5}, 0, 1, 2);
        assertOrder(new double[] {7}, 0);
    }

    @Test
    void equalScoresStayInTheFixedOrder() {
        assertOrder(new double[] {5, 0.2, 0.3, 0.2}, 1, 3, 2, 0);
    }

    /** Nothing is as little as can be: a replica that was not read from yet is the first. */
    @Test
    void aReplicaOfWhichNothingIsKnownSeemsTheQuickest() {
        assertOrder(new double[] {0.2, 0.3, 0}, 2, 0, 1);
        assertOrder(new double[3], 0, 1, 2);
    }

    @Test
    void whatWasAnsweredIsTheScoreAndTheCoordinatorIsTheFirstOfTheFixedOrder() {
        Shunning shunning = new Shunning(4, new Events());
        int[] into = new int[3];
        shunning.order(0, new int[] {9, 4, 7}, into);
        assertArrayEquals(new int[] {4, 9, 7}, into);
        shunning.answered(4, 200_000);
        shunning.answered(9, 5_000_000);
        shunning.answered(7, 600_000);
        shunning.order(0, new int[] {9, 4, 7}, into);
        assertArrayEquals(new int[] {4, 7, 9}, into);
    }
}
