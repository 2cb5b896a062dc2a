// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;

/** The replicas that were asked to decide, by partition: as few of each as a partition has replicas. */
final class Contacts {
    private final Map<Long, List<InetAddressAndPort>> byPartition = new HashMap<>();
    private int all;

    /** Notes that a replica is asked about a partition; false if it was before. */
    boolean add(long partition, InetAddressAndPort replica) {
        List<InetAddressAndPort> asked = byPartition.computeIfAbsent(partition, id -> new ArrayList<>(3));
        if (asked.contains(replica)) {
            return false;
        }
        asked.add(replica);
        all++;
        return true;
    }

    /** How many replicas were asked about the partition. */
    int about(long partition) {
        return byPartition.getOrDefault(partition, List.of()).size();
    }

    /** How many decisions replicas were asked for. */
    int all() {
        return all;
    }
}
