// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.Addresses;
import dev.isotherm.limit.Operation;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.transport.Dispatcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ContactsTest {
    /** Their messages take less than a second; a look at all contacts for each message would take minutes. */
    private static final int PARTITIONS = 100_000;

    private static final List<InetAddressAndPort> REPLICAS =
            List.of(Addresses.node(1), Addresses.node(2), Addresses.node(3));

    @Test
    void eachReplicaOfAPartitionIsCountedOnce() {
        Contacts contacts = new Contacts();
        assertEquals(0, contacts.about(7));
        for (int i = 0; i < 3; i++) {
            assertTrue(contacts.add(7, REPLICAS.get(i)));
            assertFalse(contacts.add(7, REPLICAS.get(i)));
            assertEquals(i + 1, contacts.about(7));
        }
        assertTrue(contacts.add(8, REPLICAS.get(0)), "another partition's");
        assertEquals(3, contacts.about(7));
        assertEquals(1, contacts.about(8));
        assertEquals(4, contacts.all());
    }

    /** Two contacts at QUORUM and a speculative retry, of each key of an IN. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aRetryIsNotAccountedAgainHoweverManyPartitionsAReadHas() {
        LimitedTable table = LimitedTables.table("t", 1, 1, false);
        List<TouchedPartition> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(key -> LimitedTables.partition(table, Operation.READ, key))
                .collect(Collectors.toList());
        DelegatedRequest request = new DelegatedRequest(
                1, 0, partitions, partitions, Decided.NOTHING, 0.5, new Dispatcher.RequestTime(0, 0));
        double[] accounted = new double[REPLICAS.size()];
        for (int replica = 0; replica < accounted.length; replica++) {
            for (TouchedPartition partition : partitions) {
                accounted[replica] += request.operations(request.firstContact(
                        partition.token, List.of(table.id), Operation.READ, REPLICAS.get(replica)));
            }
        }
        double once = PARTITIONS / 2;
        assertArrayEquals(new double[] {once, once, PARTITIONS * DelegatedRequest.UNCOUNTED}, accounted, 1e-6);
    }
}
