// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.cassandra.wire.MangledBytes;
import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

/** What peers ask and answer about limits, and what the schema says of them, makes sense or is refused. */
class QuestionsFromPeersTest {
    private static final LimitedTable BOTH = LimitedTables.table("both", 3, 4, false);
    private static final LimitedTable READS = LimitedTables.table("reads", 3, TableLimits.NONE, false);
    private static final List<LimitedTable> TABLES = List.of(BOTH, READS);
    private static final Function<TableId, LimitedTable> SCHEMA = Map.of(BOTH.id, BOTH, READS.id, READS)::get;

    private static byte[] question(SplittableRandom random) {
        List<TouchedPartition> partitions = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            partitions.add(LimitedTables.partition(
                    TABLES.get(random.nextInt(2)), Operation.values()[random.nextInt(2)], random.nextInt()));
        }
        return AdmissionParam.encode(random.nextLong(), random.nextInt(), 1.0 / random.nextInt(1, 9), partitions);
    }

    @Test
    void questions() {
        MangledBytes.give(21, QuestionsFromPeersTest::question, bytes -> {
            try {
                AdmissionParam read = AdmissionParam.decode(bytes, SCHEMA);
                assertTrue(read.operations > 0 && read.operations <= 1);
                for (TouchedPartition partition : read.partitions) {
                    assertTrue(TABLES.contains(partition.table));
                    assertTrue(partition.table == BOTH || partition.operation == Operation.READ);
                }
                return true;
            } catch (IllegalArgumentException refused) {
                return false;
            }
        });
    }

    @Test
    void aQuestionThatSaysToBeLongIsBelievedNoSpace() {
        byte[] bytes = AdmissionParam.encode(1, 2, 1, List.of());
        bytes[bytes.length - 2] = (byte) 0xff;
        bytes[bytes.length - 1] = (byte) 0xff;
        MangledBytes.give(22, random -> random.nextBoolean() ? question(random) : bytes.clone(), given -> {
            try {
                AdmissionParam.decode(given, SCHEMA);
                return true;
            } catch (IllegalArgumentException refused) {
                return false;
            }
        });
    }

    /** An answer that names no partition that was asked for rejects none. */
    @Test
    void answers() {
        List<TouchedPartition> asked = List.of(
                LimitedTables.partition(BOTH, Operation.READ, 1), LimitedTables.partition(READS, Operation.READ, 2));
        MangledBytes.give(
                23,
                random -> random.nextBoolean()
                        ? new byte[0]
                        : ByteBuffer.allocate(Long.BYTES)
                                .putLong(asked.get(random.nextInt(2)).id)
                                .array(),
                bytes -> {
                    AdmissionQuestion question = new AdmissionQuestion(node(1), asked, new byte[0]);
                    AdmissionPoll poll = new AdmissionPoll(List.of(question), admitted -> {});
                    boolean isReadable = poll.answered(question, bytes);
                    TouchedPartition refused = poll.await(0);
                    assertTrue(refused == null || isReadable && asked.contains(refused));
                    assertTrue(bytes.length == 0 || !isReadable || refused != null);
                    assertEquals(isReadable ? 0 : 1, poll.unanswered());
                    return isReadable;
                });
    }

    @Test
    void limitsInTheSchema() {
        MangledBytes.give(
                24,
                random -> {
                    ByteBuffer stored = TableLimits.parse(Map.of(
                                    "max_reads_per_second", Integer.toString(random.nextInt(Integer.MAX_VALUE)),
                                    "dry_run", Boolean.toString(random.nextBoolean())))
                            .encode();
                    byte[] bytes = new byte[stored.remaining()];
                    stored.get(bytes);
                    return bytes;
                },
                bytes -> {
                    try {
                        TableLimits limits = TableLimits.decode(ByteBuffer.wrap(bytes));
                        assertTrue(
                                limits.isEmpty() || limits.of(Operation.READ) >= 0 || limits.of(Operation.WRITE) >= 0);
                        return true;
                    } catch (RuntimeException refused) {
                        return false;
                    }
                });
    }
}
