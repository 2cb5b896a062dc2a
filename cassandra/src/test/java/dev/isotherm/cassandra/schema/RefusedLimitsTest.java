// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.schema;

import static dev.isotherm.cassandra.schema.InMemorySchema.CREATE;
import static dev.isotherm.cassandra.schema.InMemorySchema.READS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.exceptions.SyntaxException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedLimitsTest {
    private final InMemorySchema schema = new InMemorySchema();

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x", "0x01", "0x0000000100000001610000000162", "'text'", "7", "'0xzz'"})
    void anExtensionThatIsNotOursIsRefused(String value) {
        schema.run(CREATE);
        String sentence = schema.refusal(
                ConfigurationException.class,
                "ALTER TABLE ks.t WITH extensions = {'isotherm.per_partition_rate_limit': " + value + "}");
        assertTrue(
                sentence.startsWith(
                        "extension 'isotherm.per_partition_rate_limit': " + value.replace("'", "")
                                + " is refused; allowed: what DESCRIBE has printed, or the option per_partition_rate_limit instead"),
                sentence);
    }

    @Test
    void theOptionAndTheExtensionAtOnceAreRefused() {
        schema.run(CREATE);
        assertEquals(
                "per_partition_rate_limit is refused beside the extension 'isotherm.per_partition_rate_limit', which says"
                        + " the same; allowed: one of the two",
                schema.refusal(
                        ConfigurationException.class,
                        "ALTER TABLE ks.t WITH " + READS
                                + " AND extensions = {'isotherm.per_partition_rate_limit': 0x00000000}"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "{'max_reads_per_second': -5},max_reads_per_second: -5",
                "{'max_reads_per_second': 2147483648},max_reads_per_second: 2147483648",
                "{'max_reads_per_second': 1.5},max_reads_per_second: 1.5",
                "{'max_reads_per_second': 'many'},max_reads_per_second: many",
                "{'max_reads_per_second': true},max_reads_per_second: true",
                "{'max_reads': 1},max_reads: 1",
                "{'dry_run': 'true'},dry_run: true",
            })
    void wrongValuesAreRefusedInCreateAndAlter(String value, String named) {
        String setting = " WITH per_partition_rate_limit = " + value;
        String sentence = "per_partition_rate_limit: " + named + " is refused; allowed: ";
        assertTrue(
                schema.refusal(ConfigurationException.class, CREATE + setting).startsWith(sentence));
        schema.run(CREATE);
        assertTrue(schema.refusal(ConfigurationException.class, "ALTER TABLE ks.t" + setting)
                .startsWith(sentence));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = ';',
            value = {
                "{'max_reads_per_second': null};max_reads_per_second",
                "{'max_reads_per_second': 1, 'max_reads_per_second': 2};max_reads_per_second",
                "{'max_reads_per_second': ?};max_reads_per_second",
                "{'max_reads_per_second': [1]};max_reads_per_second",
                "'200';per_partition_rate_limit",
                "200;per_partition_rate_limit",
                "{'max_reads_per_second': 1} AND per_partition_rate_limit = {};per_partition_rate_limit",
            })
    void whatTheGrammarRefusesItRefusesByName(String value, String named) {
        schema.run(CREATE);
        String sentence =
                schema.refusal(SyntaxException.class, "ALTER TABLE ks.t WITH per_partition_rate_limit = " + value);
        assertTrue(sentence.contains(named), sentence);
    }
}
