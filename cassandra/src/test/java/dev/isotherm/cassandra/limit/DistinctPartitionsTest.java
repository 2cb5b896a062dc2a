// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.MurmurHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DistinctPartitionsTest {
    @Test
    void eachPartitionOfATableAndAnOperationIsThereOnceInTheOrderOfItsFirst() {
        LimitedTable table = LimitedTables.table("t", 1, 1, false);
        LimitedTable other = LimitedTables.table("u", 1, 1, false);
        List<ByteBuffer> keys = new ArrayList<>();
        for (int key = 0; key < 3_000; key++) {
            keys.add(ByteBufferUtil.bytes(key));
        }
        List<ByteBuffer> repeated = new ArrayList<>(keys);
        Collections.shuffle(repeated, new Random(7));
        DistinctPartitions partitions = new DistinctPartitions();
        partitions.add(table, Operation.WRITE, keys);
        partitions.add(table, Operation.WRITE, repeated);
        partitions.add(other, Operation.WRITE, repeated.subList(0, 10));
        List<TouchedPartition> found = partitions.list();
        assertEquals(3_010, found.size());
        assertEquals(keys, found.subList(0, 3_000).stream().map(one -> one.key).collect(Collectors.toList()));
        Set<Long> ids = found.stream().map(one -> one.id).collect(Collectors.toCollection(HashSet::new));
        assertEquals(3_010, ids.size());
    }

    /** Keys of one token can be made by whoever wants to. Compared with each other they would take minutes. */
    @Test
    @Timeout(60)
    void manyPartitionsOfOneTokenAreEachThereOnce() {
        LimitedTable table = LimitedTables.table("t", 1, 1, false);
        List<ByteBuffer> keys = new ArrayList<>();
        for (int key = 0; key < 200_000; key++) {
            long[] hashed = MurmurHash.inv_hash3_x64_128(new long[] {7, key});
            ByteBuffer bytes = ByteBuffer.allocate(16);
            keys.add(bytes.putLong(hashed[0]).putLong(hashed[1]).flip());
        }
        DistinctPartitions partitions = new DistinctPartitions();
        partitions.add(table, Operation.READ, keys);
        partitions.add(table, Operation.READ, keys);
        List<TouchedPartition> found = partitions.list();
        assertEquals(keys, found.stream().map(one -> one.key).collect(Collectors.toList()));
        assertEquals(1, found.stream().mapToLong(one -> one.id).distinct().count());
    }

    @Test
    void whatHasNoLimitIsLeftOut() {
        LimitedTable onlyReads = LimitedTables.table("t", 1, TableLimits.NONE, false);
        DistinctPartitions partitions = new DistinctPartitions();
        partitions.add(onlyReads, Operation.WRITE, List.of(ByteBufferUtil.bytes(1)));
        assertEquals(List.of(), partitions.list());
        partitions.add(onlyReads, Operation.READ, List.of(ByteBufferUtil.bytes(1)));
        assertEquals(1, partitions.list().size());
    }
}
