// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.ReadPlan;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;

/** The read plan of one datacenter's live replicas, with the number of draws of each order. */
final class DatacenterPlan {
    private final InetAddressAndPort[] nodes;
    private final int blockFor;
    private final ReadPlan plan;
    /** For each order of the plan the ring indices of its replicas. */
    private final int[][] ringOrders;

    private final LongAdder[] draws;

    /**
     * @param nodes the live replicas in canonical order: ascending address, the same on every coordinator
     * @param ringIndex the index of each of them in the token's ring order
     * @param blockFor the number of them that a read contacts
     */
    DatacenterPlan(InetAddressAndPort[] nodes, int[] ringIndex, int blockFor, ReadPlan plan) {
        this.nodes = nodes;
        this.blockFor = blockFor;
        this.plan = plan;
        this.ringOrders = new int[plan.orderCount()][nodes.length];
        this.draws = new LongAdder[plan.orderCount()];
        for (int order = 0; order < ringOrders.length; order++) {
            draws[order] = new LongAdder();
            for (int place = 0; place < nodes.length; place++) {
                ringOrders[order][place] = ringIndex[plan.replicaAt(order, place)];
            }
        }
    }

    /** Draws an order of the live replicas, as indices into the token's ring order; not to be changed. */
    int[] draw(long token, double u, double v) {
        int order = plan.draw(token, u, v);
        draws[order].increment();
        return ringOrders[order];
    }

    /** Adds the wanted and drawn contacts since the last call to the table's ledger; returns the number of draws. */
    long settle(ShareLedger ledger) {
        long reads = 0;
        long[] contacted = new long[nodes.length];
        for (int order = 0; order < draws.length; order++) {
            long drawn = draws[order].sumThenReset();
            reads += drawn;
            for (int place = 0; place < blockFor; place++) {
                contacted[plan.replicaAt(order, place)] += drawn;
            }
        }
        for (int i = 0; i < nodes.length; i++) {
            ledger.add(nodes[i], reads * blockFor * plan.shareOf(i), contacted[i]);
        }
        return reads;
    }
}
