// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isotherm.cassandra.config.ConfigText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;

/**
 * The operator's page says of each key of {@code isotherm.yaml} whether it changes while the node runs. An integration
 * test compares what it says with a running node.
 */
class DocumentedSettingsTest {
    /** A setting that no file can have. */
    private static final String ONLY_AT_RUN_TIME = "guard.out_of_reads";

    private static final Set<String> SECTIONS = Set.of("guard", "heat", "limit", "queue", "warming");

    private static final Pattern ROW =
            Pattern.compile("^\\| (`[^|]+`) \\| (?:at once|restart)[^|]* \\|", Pattern.MULTILINE);

    @Test
    void everyKeyThatTheFileCanHaveHasItsRow() throws IOException {
        Set<String> documented = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "operating.md")));
        while (row.find()) {
            for (String name : row.group(1).split(", ")) {
                documented.add(name.replace("`", ""));
            }
        }
        Set<String> read = known("no_such_key: 1", "");
        read.removeAll(SECTIONS);
        for (String section : SECTIONS) {
            read.addAll(known(section + ": {no_such_key: 1}", section + "."));
        }
        read.add(ONLY_AT_RUN_TIME);
        assertEquals(read, documented);
    }

    /** The keys that the refusal of a wrong one names. */
    private static Set<String> known(String yaml, String prefix) {
        String sentence = assertThrows(ConfigurationException.class, () -> IsothermConfig.read(ConfigText.file(yaml)))
                .getMessage();
        String names = sentence.substring(sentence.indexOf('[') + 1, sentence.indexOf(']'));
        Set<String> keys = new TreeSet<>();
        for (String name : names.split(", ")) {
            keys.add(prefix + name);
        }
        return keys;
    }
}
