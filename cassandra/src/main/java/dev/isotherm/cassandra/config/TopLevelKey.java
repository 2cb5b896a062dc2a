// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * Reads one plain text of {@code isotherm.yaml} without a YAML parser, because each release of Cassandra has another
 * version of that library. The rest of the file is not checked.
 */
public final class TopLevelKey {
    private TopLevelKey() {}

    /**
     * The text of a key at the beginning of a line; empty if there is no such line.
     *
     * @throws ConfigurationException when the file is missing or cannot be read
     */
    public static Optional<String> read(String key) {
        // A word with or without quotes; a comment may follow.
        Pattern line = Pattern.compile(Pattern.quote(key) + "\\s*:\\s*(['\"]?)([^'\"#\\s]+)\\1\\s*(#.*)?");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(ConfigFile.open(), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .map(line::matcher)
                    .filter(Matcher::matches)
                    .map(matcher -> matcher.group(2))
                    .findFirst();
        } catch (IOException e) {
            throw ConfigFile.unreadable(e);
        }
    }
}
