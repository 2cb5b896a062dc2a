// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects the limited partitions of one statement, each once; an IN or a batch may name tens of thousands. */
final class DistinctPartitions {
    private final List<TouchedPartition> partitions = new ArrayList<>();
    private final Set<Long> ids = new HashSet<>();

    void add(LimitedTable table, Operation operation, Iterable<ByteBuffer> keys) {
        for (ByteBuffer key : keys) {
            TouchedPartition partition = new TouchedPartition(table, operation, key);
            // Two partitions hardly ever have one id: only the second of an id is looked for.
            if (partition.isLimited()
                    && (ids.add(partition.id) || partitions.stream().noneMatch(partition::isSameAs))) {
                partitions.add(partition);
            }
        }
    }

    List<TouchedPartition> list() {
        return partitions;
    }
}
