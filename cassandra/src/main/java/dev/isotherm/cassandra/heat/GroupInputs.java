// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.GroupHeats;
import dev.isotherm.heat.HeapBytes;
import dev.isotherm.heat.ReadPlan;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** What the plans of a replica group are made from beside the settings: the replicas to draw from, K, the heats. */
final class GroupInputs {
    /** The live replicas of one datacenter. */
    static final class Datacenter {
        private static final int FIELD_BYTES = Integer.BYTES + 1 + 2 * HeapBytes.REFERENCE;

        final boolean local;
        /** These replicas in ascending order of address, the same on every coordinator. */
        final InetAddressAndPort[] nodes;
        /** The index of each of them in the token's ring order. */
        final byte[] ringIndex;
        /** The number of them that a read contacts, 1 or above. */
        final int blockFor;

        Datacenter(boolean local, InetAddressAndPort[] nodes, byte[] ringIndex, int blockFor) {
            this.local = local;
            this.nodes = nodes;
            this.ringIndex = ringIndex;
            this.blockFor = blockFor;
        }

        private boolean hasReplicasOf(Datacenter other) {
            return local == other.local
                    && blockFor == other.blockFor
                    && Arrays.equals(nodes, other.nodes)
                    && Arrays.equals(ringIndex, other.ringIndex);
        }

        private long bytes() {
            return HeapBytes.object(FIELD_BYTES)
                    + HeapBytes.array(nodes.length, HeapBytes.REFERENCE)
                    + HeapBytes.array(nodes.length, Byte.BYTES);
        }
    }

    /** Those that may be drawn from, in the order of their names. */
    final List<Datacenter> datacenters;
    /** The heats of all their nodes, one datacenter after another. */
    final GroupHeats<TableId, InetAddressAndPort> heats;

    GroupInputs(List<Datacenter> datacenters, GroupHeats<TableId, InetAddressAndPort> heats) {
        this.datacenters = List.copyOf(datacenters);
        this.heats = heats;
    }

    /** Whether the heat of all live replicas of this datacenter is known, and of the same kind. */
    boolean knowHeatHere() {
        int from = 0;
        for (Datacenter datacenter : datacenters) {
            int to = from + datacenter.nodes.length;
            if (datacenter.local) {
                return ReadPlan.areComparable(Arrays.copyOfRange(heats.heats(), from, to));
            }
            from = to;
        }
        return false;
    }

    /** Whether newer inputs have the same replicas, K and heats. */
    boolean areSameAs(GroupInputs newer, long nowNanos) {
        if (datacenters.size() != newer.datacenters.size() || !heats.areCurrent(nowNanos)) {
            return false;
        }
        for (int i = 0; i < datacenters.size(); i++) {
            if (!datacenters.get(i).hasReplicasOf(newer.datacenters.get(i))) {
                return false;
            }
        }
        return true;
    }

    long bytes() {
        int nodes = datacenters.stream().mapToInt(each -> each.nodes.length).sum();
        return HeapBytes.object(2 * HeapBytes.REFERENCE)
                + heats.bytes()
                + HeapBytes.array(nodes, HeapBytes.REFERENCE)
                + HeapBytes.list(datacenters.size())
                + datacenters.stream().mapToLong(Datacenter::bytes).sum();
    }
}
