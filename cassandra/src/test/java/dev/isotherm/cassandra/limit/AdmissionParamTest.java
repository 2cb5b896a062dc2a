// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.Addresses;
import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.AdmissionReport;
import dev.isotherm.limit.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.cassandra.dht.ByteOrderedPartitioner;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class AdmissionParamTest {
    private static final LimitedTable BOTH = LimitedTables.table("both", 5, 6, false);
    private static final LimitedTable READS = LimitedTables.table("reads", 7, TableLimits.NONE, false);
    private static final List<LimitedTable> TABLES = List.of(BOTH, READS);
    private static final Function<TableId, LimitedTable> SCHEMA = Map.of(BOTH.id, BOTH, READS.id, READS)::get;

    private static List<TouchedPartition> partitions(List<Integer> keys) {
        List<TouchedPartition> partitions = new ArrayList<>();
        for (int key : keys) {
            Operation operation = Operation.values()[Math.floorMod(key, 2)];
            partitions.add(LimitedTables.partition(
                    TABLES.get(operation == Operation.WRITE ? 0 : key >>> 1 & 1), operation, key));
        }
        return partitions;
    }

    @Property(tries = 300, seed = "51")
    void whatIsSentIsWhatIsRead(
            @ForAll long request,
            @ForAll int random,
            @ForAll @IntRange(min = 1, max = 9) int replicas,
            @ForAll @Size(max = 50) List<Integer> keys) {
        float operations = 1f / replicas;
        List<TouchedPartition> sent = partitions(keys);
        AdmissionParam read = AdmissionParam.decode(AdmissionParam.encode(request, random, operations, sent), SCHEMA);
        assertEquals(request, read.request);
        assertEquals(random, read.random);
        assertEquals(operations, read.operations, 0);
        assertEquals(sent.size(), read.partitions.size());
        for (int i = 0; i < sent.size(); i++) {
            assertEquals(sent.get(i).id, read.partitions.get(i).id);
            assertEquals(sent.get(i).token, read.partitions.get(i).token);
            assertEquals(sent.get(i).table, read.partitions.get(i).table);
            assertEquals(sent.get(i).operation, read.partitions.get(i).operation);
        }
    }

    /** As many questions as it takes, none of which Cassandra cannot read from a large message. */
    @Property(tries = 50, seed = "53")
    void manyPartitionsAreAskedAboutInSeveralQuestions(@ForAll @IntRange(min = 0, max = 5_000) int count) {
        List<TouchedPartition> partitions =
                partitions(IntStream.range(0, count).boxed().collect(Collectors.toList()));
        List<TouchedPartition> asked = new ArrayList<>();
        for (AdmissionQuestion question : AdmissionQuestion.about(Addresses.node(1), partitions, 7)) {
            assertTrue(question.encoded.length <= AdmissionParam.MOST_BYTES, question.encoded.length + " bytes");
            assertEquals(
                    question.asked.size(),
                    AdmissionParam.decode(question.encoded, SCHEMA).partitions.size());
            asked.addAll(question.asked);
        }
        assertEquals(partitions, asked);
    }

    /** Tokens of ByteOrderedPartitioner are as long as keys. */
    @Test
    void aPartitionWhoseTokenIsTooLongIsNotAskedAbout() {
        TouchedPartition small = partitions(List.of(1)).get(0);
        TouchedPartition large = new TouchedPartition(
                small.table,
                small.operation,
                new ByteOrderedPartitioner.BytesToken(new byte[AdmissionParam.MOST_BYTES]));
        List<AdmissionQuestion> questions = AdmissionQuestion.about(Addresses.node(1), List.of(small, large, small), 7);
        assertEquals(1, questions.size());
        assertEquals(List.of(small, small), questions.get(0).asked);
        assertEquals(List.of(), AdmissionQuestion.about(Addresses.node(1), List.of(large), 7));
    }

    /** A report travels as a question does. */
    @Test
    void aFullReportIsNoLongerThanAQuestion() {
        AdmissionReport.Builder report = new AdmissionReport.Builder();
        for (int partition = 1; partition <= AdmissionReport.MOST_SENT; partition++) {
            report.add(partition, 10, 1);
        }
        assertTrue(report.encode().length <= AdmissionParam.MOST_BYTES, report.encode().length + " bytes");
    }

    @Property(tries = 300, seed = "52")
    void aPartIsNoParameter(
            @ForAll @Size(min = 1, max = 10) List<Integer> keys, @ForAll @IntRange(max = 500) int kept) {
        byte[] whole = AdmissionParam.encode(1, 2, 1, partitions(keys));
        byte[] part = Arrays.copyOf(whole, Math.floorMod(kept, whole.length));
        assertThrows(IllegalArgumentException.class, () -> AdmissionParam.decode(part, SCHEMA));
        byte[] more = Arrays.copyOf(whole, whole.length + 1);
        assertThrows(IllegalArgumentException.class, () -> AdmissionParam.decode(more, SCHEMA));
    }

    @Property(tries = 2000, seed = "53")
    void nonsenseIsRefusedOrMakesSense(
            @ForAll @Size(max = 5) List<Integer> keys, @ForAll @Size(min = 1, max = 8) List<Integer> damages) {
        byte[] bytes = AdmissionParam.encode(1, 2, 1, partitions(keys));
        for (int damage : damages) {
            bytes[Math.floorMod(damage >>> 8, bytes.length)] = (byte) damage;
        }
        assertSenseOrRefusal(bytes);
    }

    @Property(tries = 2000, seed = "54")
    void anyBytesAreRefusedOrMakeSense(@ForAll @Size(max = 120) byte[] bytes) {
        if (bytes.length > 0) {
            bytes[0] = 1;
        }
        assertSenseOrRefusal(bytes);
    }

    private static void assertSenseOrRefusal(byte[] bytes) {
        AdmissionParam read;
        try {
            read = AdmissionParam.decode(bytes, SCHEMA);
        } catch (IllegalArgumentException refused) {
            return;
        }
        assertTrue(read.operations > 0 && read.operations <= 1);
        for (TouchedPartition partition : read.partitions) {
            assertTrue(TABLES.contains(partition.table));
            assertTrue(partition.table == BOTH || partition.operation == Operation.READ);
        }
    }

    @Test
    void aTableThatHasNoLimitHereIsLeftOut() {
        LimitedTable elsewhere = LimitedTables.table("elsewhere", 1, 1, false);
        byte[] bytes = AdmissionParam.encode(
                1,
                2,
                0.5,
                List.of(
                        LimitedTables.partition(elsewhere, Operation.READ, 1),
                        LimitedTables.partition(READS, Operation.WRITE, 2),
                        LimitedTables.partition(READS, Operation.READ, 3)));
        AdmissionParam read = AdmissionParam.decode(bytes, SCHEMA);
        assertEquals(1, read.partitions.size());
        assertEquals(LimitedTables.partition(READS, Operation.READ, 3).id, read.partitions.get(0).id);
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] bytes = AdmissionParam.encode(1, 2, 1, List.of());
        bytes[0] = 2;
        Exception refusal = assertThrows(IllegalArgumentException.class, () -> AdmissionParam.decode(bytes, SCHEMA));
        assertEquals("the version is 2, not 1", refusal.getMessage());
    }
}
