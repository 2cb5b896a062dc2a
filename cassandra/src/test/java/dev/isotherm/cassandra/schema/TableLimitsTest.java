// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableLimitsTest {
    @Test
    void eitherKeyAloneLimitsThatOperationOnly() {
        TableLimits reads = TableLimits.parse(Map.of("max_reads_per_second", "200"));
        assertEquals(200, reads.of(Operation.READ));
        assertEquals(TableLimits.NONE, reads.of(Operation.WRITE));
        TableLimits writes = TableLimits.parse(Map.of("max_writes_per_second", "100"));
        assertEquals(TableLimits.NONE, writes.of(Operation.READ));
        assertEquals(100, writes.of(Operation.WRITE));
        assertFalse(reads.isDryRun());
        assertFalse(reads.isEmpty());
    }

    @Test
    void theEmptyMapTakesLimitsAway() {
        assertTrue(TableLimits.parse(Map.of()).isEmpty());
    }

    @Test
    void zeroIsALimit() {
        TableLimits limits = TableLimits.parse(Map.of("max_writes_per_second", "0"));
        assertEquals(0, limits.of(Operation.WRITE));
        assertFalse(limits.isEmpty());
    }

    @Test
    void fairSharesAreKeptWhereTheTableSaysNothing() {
        TableLimits limits = TableLimits.parse(Map.of("max_reads_per_second", "1"));
        assertTrue(limits.isFairShare());
        assertEquals(1, limits.maxShare());
    }

    @Test
    void aTableIsExemptedFromFairSharesOrChoosesThem() {
        TableLimits exempt = TableLimits.parse(Map.of("fair_share", "false"));
        assertFalse(exempt.isEmpty());
        assertFalse(exempt.isFairShare());
        assertEquals(TableLimits.NONE, exempt.of(Operation.READ));
        TableLimits chosen = TableLimits.parse(Map.of("max_share", "0.50"));
        assertEquals(0.5, chosen.maxShare());
        assertEquals("{'max_share': '0.5'}", chosen.option());
        for (TableLimits limits :
                new TableLimits[] {exempt, chosen, TableLimits.parse(Map.of("max_share", "0.000001"))}) {
            assertEquals(limits, TableLimits.decode(limits.encode()));
        }
        assertTrue(TableLimits.parse(Map.of("fair_share", "true", "max_share", "1"))
                .isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"0", "-0.5", "1.1", "50", "50 %", "0.0000001", "NaN", ".5"})
    void whatIsNoShareIsRefused(String value) {
        assertRefused(
                "per_partition_rate_limit: max_share: " + value
                        + " is refused; allowed: a number above 0, at most 1, such as 0.5",
                Map.of("max_share", value));
    }

    @Test
    void anExemptedTableChoosesNoShare() {
        assertRefused(
                "per_partition_rate_limit: max_share: 0.5 is refused; allowed: only without fair_share: false",
                Map.of("fair_share", "false", "max_share", "0.5"));
    }

    @ParameterizedTest
    @CsvSource({"true,true", "TRUE,true", "false,false", "False,false"})
    void aDryRunIsAFlag(String text, boolean dryRun) {
        assertEquals(
                dryRun,
                TableLimits.parse(Map.of("max_reads_per_second", "1", "dry_run", text))
                        .isDryRun());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "max_reads_per_second,-1",
                "max_reads_per_second,2147483648",
                "max_reads_per_second,99999999999999999999999",
                "max_writes_per_second,1.5",
                "max_writes_per_second,1e3",
                "max_writes_per_second,+1",
                "max_writes_per_second,many",
                "max_writes_per_second,\"\"",
                "max_writes_per_second,\" 1\"",
                "max_writes_per_second,true",
                "max_writes_per_second,0x10",
                "max_writes_per_second,\u0661",
            })
    void whatIsNoLimitIsRefusedWithItsKey(String key, String value) {
        assertRefused(
                "per_partition_rate_limit: " + key + ": " + value
                        + " is refused; allowed: a whole number from 0 to 2147483647",
                Map.of(key, value));
    }

    @Test
    void unknownKeysAreRefused() {
        assertRefused(
                "per_partition_rate_limit: MAX_READS_PER_SECOND: 1 is refused;"
                        + " allowed: the keys max_reads_per_second, max_writes_per_second, dry_run, fair_share, max_share",
                Map.of("MAX_READS_PER_SECOND", "1", "max_writes_per_second", "1"));
    }

    @Test
    void ofSeveralMistakesTheSameOneIsNamedEachTime() {
        assertRefused(
                "per_partition_rate_limit: a: 1 is refused;"
                        + " allowed: the keys max_reads_per_second, max_writes_per_second, dry_run, fair_share, max_share",
                Map.of("b", "1", "a", "1", "max_reads_per_second", "x"));
    }

    @Test
    void aDryRunNeedsSomethingToTry() {
        assertRefused(
                "per_partition_rate_limit: dry_run: true is refused;"
                        + " allowed: only beside max_reads_per_second or max_writes_per_second",
                Map.of("dry_run", "true"));
        assertRefused(
                "per_partition_rate_limit: dry_run: maybe is refused; allowed: 'true' or 'false'",
                Map.of("dry_run", "maybe", "max_reads_per_second", "1"));
    }

    @Test
    void theOptionIsTheSameTextForTheSameLimits() {
        TableLimits limits = TableLimits.parse(
                Map.of("max_writes_per_second", "007", "dry_run", "True", "max_reads_per_second", "2147483647"));
        assertEquals(
                "{'dry_run': 'true', 'max_reads_per_second': '2147483647', 'max_writes_per_second': '7'}",
                limits.option());
        assertEquals("{}", TableLimits.parse(Map.of()).option());
    }

    @Property(seed = "31")
    void whatIsStoredIsReadBack(
            @ForAll @IntRange(min = TableLimits.NONE) int maxReads,
            @ForAll @IntRange(min = TableLimits.NONE) int maxWrites,
            @ForAll boolean dryRun) {
        Map<String, String> option = new HashMap<>();
        if (maxReads != TableLimits.NONE) {
            option.put("max_reads_per_second", Integer.toString(maxReads));
        }
        if (maxWrites != TableLimits.NONE) {
            option.put("max_writes_per_second", Integer.toString(maxWrites));
        }
        if (dryRun && !option.isEmpty()) {
            option.put("dry_run", "true");
        }
        TableLimits limits = TableLimits.parse(option);
        ByteBuffer stored = limits.encode();
        ByteBuffer untouched = stored.duplicate();
        assertEquals(limits, TableLimits.decode(stored));
        assertEquals(untouched, stored);
        assertEquals(maxReads, limits.of(Operation.READ));
        assertEquals(maxWrites, limits.of(Operation.WRITE));
    }

    @Property(seed = "32")
    void whatWasNotWrittenByUsIsNotReadAsALimit(@ForAll @Size(max = 60) byte[] nonsense) {
        try {
            // Four zero bytes are an empty map; bytes shorter than the keys cannot hold a limit.
            assertTrue(TableLimits.decode(ByteBuffer.wrap(nonsense)).isEmpty());
        } catch (RuntimeException refused) {
            assertFalse(nonsense.length == 4 && ByteBuffer.wrap(nonsense).getInt() == 0);
        }
    }

    @Test
    void aValueCutShortIsRefused() {
        ByteBuffer stored =
                TableLimits.parse(Map.of("max_reads_per_second", "200")).encode();
        for (int length = 0; length < stored.remaining(); length++) {
            ByteBuffer part = stored.duplicate().limit(length);
            assertThrows(RuntimeException.class, () -> TableLimits.decode(part));
        }
    }

    private static void assertRefused(String sentence, Map<String, String> option) {
        assertEquals(
                sentence,
                assertThrows(ConfigurationException.class, () -> TableLimits.parse(option))
                        .getMessage());
    }
}
