// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.concurrent.atomic.LongAdder;

import dev.isotherm.heat.ReadPlan;
import org.apache.cassandra.locator.InetAddressAndPort;

/** How the live replicas of one datacenter are drawn, and how often each was. */
final class DatacenterPlan {
    /** The live replicas in canonical order: ascending address, the same on every coordinator. */
    final InetAddressAndPort[] nodes;
    /** Where each of {@link #nodes} stands in the token's ring order. */
    final int[] ringIndex;
    final int contacts;
    final ReadPlan plan;
    private final LongAdder draws = new LongAdder();
    private final LongAdder[] contacted;

    DatacenterPlan(InetAddressAndPort[] nodes, int[] ringIndex, int contacts, ReadPlan plan) {
        this.nodes = nodes;
        this.ringIndex = ringIndex;
        this.contacts = contacts;
        this.plan = plan;
        this.contacted = new LongAdder[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            contacted[i] = new LongAdder();
        }
    }

    /** Writes the drawn order as ring indices into the array from the offset on; returns the offset behind it. */
    int order(long token, double u, double v, int[] into, int offset, int[] scratch) {
        plan.order(token, u, v, scratch);
        draws.increment();
        for (int i = 0; i < nodes.length; i++) {
            int node = scratch[i];
            if (i < contacts) {
                contacted[node].increment();
            }
            into[offset + i] = ringIndex[node];
        }
        return offset + nodes.length;
    }

    /** Adds what was wanted and drawn since the last call to the table's ledger. */
    void settle(ShareLedger ledger) {
        long reads = draws.sumThenReset();
        for (int i = 0; i < nodes.length; i++) {
            ledger.add(nodes[i], reads * contacts * plan.shareOf(i), contacted[i].sumThenReset());
        }
    }
}
