// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.cassandra.wire.MangledBytes;
import dev.isotherm.limit.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.transport.Dispatcher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A replica's rejection is of a request that is under way, or the answer is left to Cassandra. */
class RejectionsFromPeersInNodeTest {
    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    private static TouchedPartition partition(LimitedTable table, int key) {
        return new TouchedPartition(table, Operation.WRITE, Int32Type.instance.decompose(key));
    }

    @Test
    void rejections() {
        LimitedTable table = new LimitedTable(
                NodeInProcess.table("rejecting", "comment = ''").metadata(),
                TableLimits.parse(Map.of("max_writes_per_second", "1")),
                new LimitCounts(),
                Map.of());
        List<TouchedPartition> touched = List.of(partition(table, 1), partition(table, 2));
        DelegatedAdmission admission = new DelegatedAdmission(null, null, null);
        DelegatedRequest request =
                admission.begin(touched, touched, Decided.NOTHING, 0, 1, new Dispatcher.RequestTime(0, 0));
        try {
            MangledBytes.give(
                    62,
                    random -> ByteBuffer.allocate(2 * Long.BYTES)
                            .putLong(request.id() + random.nextInt(2))
                            .putLong(random.nextBoolean() ? touched.get(random.nextInt(2)).id : random.nextLong())
                            .array(),
                    bytes -> {
                        boolean ofRequest = bytes.length == 2 * Long.BYTES
                                && ByteBuffer.wrap(bytes).getLong() == request.id();
                        Message<?> answer = Message.synthetic(node(7), Verb.FAILURE_RSP, NoPayload.noPayload);
                        assertEquals(ofRequest, admission.isDelivered(answer, bytes));
                        return ofRequest;
                    });
        } finally {
            admission.end(request, Outcome.REJECTED);
        }
    }
}
