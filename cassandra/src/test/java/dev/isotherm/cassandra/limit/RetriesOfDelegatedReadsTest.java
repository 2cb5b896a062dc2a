// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.Addresses;
import dev.isotherm.limit.Operation;
import java.util.List;
import org.apache.cassandra.transport.Dispatcher;
import org.junit.jupiter.api.Test;

/** The contacts of the consistency level account the whole read; a speculative retry is a further one. */
class RetriesOfDelegatedReadsTest {
    private final LimitedTable table = LimitedTables.table("t", 1, 1, false);

    /** The part of an operation that each replica accounts, in the order of their contacts. */
    private double[] accounted(Operation operation, double operations, int contacts) {
        TouchedPartition partition = LimitedTables.partition(table, operation, 2);
        DelegatedRequest request = new DelegatedRequest(
                1,
                0,
                List.of(partition),
                List.of(partition),
                Decided.NOTHING,
                operations,
                new Dispatcher.RequestTime(0, 0));
        double[] accounted = new double[contacts];
        for (int contact = 0; contact < contacts; contact++) {
            List<TouchedPartition> asked =
                    request.firstContact(partition.token, List.of(table.id), operation, Addresses.node(contact + 1));
            assertEquals(List.of(partition), asked);
            accounted[contact] = request.operations(asked);
        }
        return accounted;
    }

    @Test
    void aRetryIsNotAccountedAgain() {
        double none = DelegatedRequest.UNCOUNTED;
        assertArrayEquals(new double[] {0.5, 0.5, none}, accounted(Operation.READ, 0.5, 3), 0);
        assertArrayEquals(
                new double[] {ReplicaLookup.part(1, 3), none, none},
                accounted(Operation.READ, ReplicaLookup.part(1, 3), 3),
                0);
    }

    /** As of a write, which all replicas get. */
    @Test
    void whatCountsAsOneCountsAtEachReplica() {
        assertArrayEquals(new double[] {1, 1, 1, 1, 1, 1, 1}, accounted(Operation.WRITE, 1, 7), 0);
    }
}
