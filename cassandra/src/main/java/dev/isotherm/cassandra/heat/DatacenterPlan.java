// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.DiskLoad;
import dev.isotherm.heat.HeapBytes;
import dev.isotherm.heat.ReadPlan;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import org.apache.cassandra.locator.InetAddressAndPort;

/** The read plan of one datacenter's live replicas, with the number of draws of each order. */
final class DatacenterPlan {
    private static final int FIELD_BYTES = 4 * HeapBytes.REFERENCE;

    private final GroupInputs.Datacenter replicas;
    private final byte[] ringIndex;
    private final ReadPlan plan;
    private final AtomicIntegerArray draws;

    /** @param replicas the live replicas that the plan draws from */
    DatacenterPlan(GroupInputs.Datacenter replicas, ReadPlan plan) {
        this.replicas = replicas;
        this.ringIndex = replicas.ringIndex;
        this.plan = plan;
        this.draws = new AtomicIntegerArray(plan.orderCount());
    }

    /** The node's index among the live replicas, as the plan counts them; -1 if it is none of them. */
    int indexOf(InetAddressAndPort node) {
        return Arrays.asList(replicas.nodes).indexOf(node);
    }

    /** The number of replicas that a read contacts. */
    int k() {
        return plan.k();
    }

    /** The number of live replicas. */
    int size() {
        return plan.size();
    }

    /** Whether the plan still holds for what the disks of its replicas have to bear. */
    boolean holdsFor(Function<InetAddressAndPort[], DiskLoad> load) {
        return plan.holdsFor(load.apply(replicas.nodes));
    }

    /** As {@link ReadPlan#spreadsHeavyHitters}. */
    boolean spreadsHeavyHitters() {
        return plan.spreadsHeavyHitters();
    }

    /** Whether reads of a heavy partition may have the operator's order: no heat says otherwise. */
    boolean hasEqualHeats() {
        return plan.hasEqualHeats();
    }

    /**
     * Draws an order of the live replicas.
     *
     * @param isHeavy whether the partition's reads are spread over all of them, whatever the placement
     * @param first the place of the first of them
     * @param places receives the place of each at its index in the token's ring order
     */
    void draw(long token, boolean isHeavy, double u, double v, int first, int[] places) {
        int order = plan.draw(token, isHeavy, u, v);
        draws.incrementAndGet(order);
        for (int i = 0; i < ringIndex.length; i++) {
            places[ringIndex[plan.replicaAt(order, i)]] = first + i;
        }
    }

    /** Adds the wanted and drawn contacts since the last call to the table's ledger; returns the number of draws. */
    long settle(ShareLedger ledger) {
        long reads = 0;
        long[] contacted = new long[plan.size()];
        for (int order = 0; order < draws.length(); order++) {
            int drawn = draws.get(order) == 0 ? 0 : draws.getAndSet(order, 0);
            reads += drawn;
            for (int place = 0; place < replicas.blockFor; place++) {
                contacted[plan.replicaAt(order, place)] += drawn;
            }
        }
        for (int i = 0; i < contacted.length; i++) {
            ledger.add(replicas.nodes[i], reads * replicas.blockFor * plan.shareOf(i), contacted[i]);
        }
        return reads;
    }

    /** What the plan takes on the heap, without the replicas. */
    long bytes() {
        return HeapBytes.object(FIELD_BYTES)
                + plan.bytes()
                + HeapBytes.object(HeapBytes.REFERENCE)
                + HeapBytes.array(draws.length(), Integer.BYTES);
    }
}
