// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Collects the limited partitions of one statement, each once; an IN or a batch may name tens of thousands. */
final class DistinctPartitions {
    private final List<TouchedPartition> partitions = new ArrayList<>();
    /** The first of each id: two partitions hardly ever have one. */
    private final Map<Long, TouchedPartition> byId = new HashMap<>();
    /** The keys of the others. Whoever wants to can make many of them: they are sorted, not compared one by one. */
    private final Map<Long, Set<ByteBuffer>> othersOfId = new HashMap<>();

    void add(LimitedTable table, Operation operation, Iterable<ByteBuffer> keys) {
        for (ByteBuffer key : keys) {
            TouchedPartition partition = new TouchedPartition(table, operation, key);
            if (partition.isLimited() && isNew(partition)) {
                partitions.add(partition);
            }
        }
    }

    private boolean isNew(TouchedPartition partition) {
        TouchedPartition first = byId.putIfAbsent(partition.id, partition);
        return first == null
                || !first.isSameAs(partition)
                        && othersOfId
                                .computeIfAbsent(partition.id, id -> new TreeSet<>())
                                .add(partition.key);
    }

    List<TouchedPartition> list() {
        return partitions;
    }
}
