// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.limit.KeyLimit;
import dev.isotherm.limit.KeyLimits;
import dev.isotherm.limit.Operation;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitedPartitionRowTest {
    private static final long NOW = 1_600_000_000_000L;
    private static final Date LATER = new Date(NOW + 60_000);

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    private static TableMetadata table() {
        return TableMetadata.builder("ks", "t")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", UTF8Type.instance)
                .build();
    }

    private static TableMetadata pairs() {
        return TableMetadata.builder("ks", "pairs")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("name", UTF8Type.instance)
                .addPartitionKeyColumn("day", Int32Type.instance)
                .build();
    }

    private static Map<String, Object> values(Object reads, Object until) {
        Map<String, Object> values = new HashMap<>();
        values.put(LimitedPartitionsTable.READS, reads);
        values.put(LimitedPartitionsTable.UNTIL, until);
        return values;
    }

    private static KeyLimits limited(KeyLimits known, TableMetadata table, String key, Map<String, Object> values) {
        return LimitedPartitionRow.of(table, key, values).limited(known, word -> true, NOW);
    }

    private static void assertRefused(String message, Runnable code) {
        assertEquals(
                message, assertThrows(InvalidRequestException.class, code::run).getMessage());
    }

    @Test
    void whatIsNotNamedStays() {
        TableMetadata table = table();
        KeyLimits known = limited(KeyLimits.EMPTY, table, "Ada", values(7, LATER));
        known = limited(known, table, "Ada", Map.of(LimitedPartitionsTable.WRITES, 8));
        KeyLimit word = known.words().get(0);
        assertEquals(7, word.of(Operation.READ));
        assertEquals(8, word.of(Operation.WRITE));
        assertEquals(LATER.getTime(), word.untilMillis());
        Map<String, Object> none = new HashMap<>();
        none.put(LimitedPartitionsTable.READS, null);
        known = limited(known, table, "Ada", none);
        assertEquals(KeyLimit.NONE, known.words().get(0).of(Operation.READ));
        KeyLimits removed = LimitedPartitionRow.of(table, "Ada", Map.of()).removed(known, NOW);
        assertTrue(removed.words().get(0).isRemoval());
    }

    @Test
    void howeverManyWereRemovedOneMoreIsLimited() {
        TableMetadata table = table();
        KeyLimits known = KeyLimits.EMPTY;
        for (int i = 0; i <= KeyLimits.MOST_WORDS; i++) {
            known = LimitedPartitionRow.of(table, "k" + i, Map.of()).removed(known, NOW + i);
        }
        assertEquals(KeyLimits.MOST_WORDS, known.words().size());
        assertEquals(1, limited(known, table, "more", values(7, LATER)).holding(NOW, word -> true));
    }

    @Test
    void noLimitIsForgottenForAnother() {
        TableMetadata table = table();
        KeyLimits known = KeyLimits.EMPTY;
        for (int i = 0; i < KeyLimits.MOST_WORDS; i++) {
            known = LimitedPartitionRow.of(table, "k" + i, values(7, LATER)).limited(known, word -> false, NOW);
        }
        KeyLimits full = known;
        String refusal =
                "partition_key: more is refused; allowed: at most 128 partitions with limits, those of dropped tables"
                        + " included";
        assertRefused(
                refusal, () -> LimitedPartitionRow.of(table, "more", Map.of()).removed(full, NOW));
        assertRefused(refusal, () -> LimitedPartitionRow.of(table, "more", values(7, LATER))
                .limited(full, word -> false, NOW));
        LimitedPartitionRow.of(table, "k1", Map.of()).removed(full, NOW);
    }

    @Test
    void whatWasRemovedIsNotRemembered() {
        TableMetadata table = table();
        KeyLimits known = limited(KeyLimits.EMPTY, table, "Ada", values(7, LATER));
        KeyLimits removed = LimitedPartitionRow.of(table, "Ada", Map.of()).removed(known, NOW);
        assertRefused(
                "until: null is refused; allowed: an instant after now, at most 7 days ahead",
                () -> limited(removed, table, "Ada", Map.of(LimitedPartitionsTable.WRITES, 8)));
    }

    @Test
    void aTextKeyIsItsBytes() {
        KeyLimits known = limited(KeyLimits.EMPTY, table(), "a:b", values(7, LATER));
        assertArrayEquals(new byte[] {'a', ':', 'b'}, known.words().get(0).key());
    }

    @ParameterizedTest
    @CsvSource({"a:1, a, 1", "a\\:b:-3, a:b, -3", "a b:2, a b, 2"})
    void aKeyOfSeveralColumnsIsTheirBytes(String text, String name, int day) {
        KeyLimits known = limited(KeyLimits.EMPTY, pairs(), text, values(7, LATER));
        byte[] expected = ByteBufferUtil.getArray(
                CompositeType.getInstance(UTF8Type.instance, Int32Type.instance).decompose(name, day));
        assertArrayEquals(expected, known.words().get(0).key());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a:", "a:b", "a:1:2", ":", "!", "a:!", "a:1:!", "a:1:_", "_", "a:99999999999"})
    void aPartOfAKeyIsNone(String text) {
        String message = assertThrows(
                        InvalidRequestException.class, () -> limited(KeyLimits.EMPTY, pairs(), text, values(7, LATER)))
                .getMessage();
        assertTrue(
                message.startsWith("partition_key: " + text
                        + " is refused; allowed: a partition key of ks.pairs as text, of the type "),
                message);
    }

    @Test
    void anEmptyOrALongKeyIsRefused() {
        assertThrows(InvalidRequestException.class, () -> limited(KeyLimits.EMPTY, table(), "", values(7, LATER)));
        limited(KeyLimits.EMPTY, table(), "x".repeat(256), values(7, LATER));
        assertRefused(
                "partition_key: one of 257 bytes is refused; allowed: at most 256 bytes",
                () -> limited(KeyLimits.EMPTY, table(), "x".repeat(257), values(7, LATER)));
    }

    @Test
    void limitsAndInstantsOutOfRangeAreRefused() {
        String limits = " is refused; allowed: a whole number from 1 to 2147483647";
        assertRefused(
                "max_reads_per_second: 0" + limits, () -> limited(KeyLimits.EMPTY, table(), "a", values(0, LATER)));
        assertRefused(
                "max_reads_per_second: -1" + limits, () -> limited(KeyLimits.EMPTY, table(), "a", values(-1, LATER)));
        assertRefused(
                "max_reads_per_second: null" + limits + ", unless there is max_writes_per_second",
                () -> limited(KeyLimits.EMPTY, table(), "a", values(null, LATER)));
        for (long until : new long[] {NOW, 0, NOW + TimeUnit.DAYS.toMillis(7) + 1, Long.MAX_VALUE}) {
            assertRefused(
                    "until: " + new Date(until).toInstant()
                            + " is refused; allowed: an instant after now, at most 7 days ahead",
                    () -> limited(KeyLimits.EMPTY, table(), "a", values(7, new Date(until))));
        }
        assertRefused(
                "token: 5 is refused; allowed: to set max_reads_per_second, max_writes_per_second and until",
                () -> limited(KeyLimits.EMPTY, table(), "a", Map.of(LimitedPartitionsTable.TOKEN, "5")));
    }

    @Test
    void tooManyAreRefusedButAnOldOneMayChange() {
        TableMetadata table = table();
        KeyLimits known = KeyLimits.EMPTY;
        for (int i = 0; i < KeyLimits.MOST_KEYS; i++) {
            known = limited(known, table, "k" + i, values(7, LATER));
        }
        KeyLimits full = known;
        assertRefused(
                "partition_key: more is refused; allowed: at most 64 limited partitions",
                () -> limited(full, table, "more", values(7, LATER)));
        // Those of tables that are gone take no place of others.
        LimitedPartitionRow.of(table, "more", values(7, LATER)).limited(full, word -> false, NOW);
        KeyLimit changed = limited(full, table, "k3", values(9, LATER))
                .of(
                        table.id.asUUID().getMostSignificantBits(),
                        table.id.asUUID().getLeastSignificantBits(),
                        new byte[] {'k', '3'});
        assertEquals(9, changed.of(Operation.READ));
        assertNull(full.of(1, 2, new byte[] {1}));
    }
}
