// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * Reads one plain text of {@code isotherm.yaml} without a YAML parser, because each release of Cassandra has another
 * version of that library. The rest of the file is not checked.
 */
public final class TopLevelKey {
    private static final Pattern COMMENT = Pattern.compile("(^|\\s)#.*");
    /** Some editors begin a file with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private TopLevelKey() {}

    /**
     * The text of a key at the beginning of a line; empty if the file does not have the key.
     *
     * @throws ConfigurationException when the file is missing or cannot be read, or has the key in another way
     */
    public static Optional<String> read(String key) {
        List<String> lines = lines();
        // A word with or without quotes; a comment may follow.
        Pattern line = Pattern.compile(
                "(['\"]?)" + Pattern.quote(key) + "\\1\\s*:\\s*(['\"]?)([^'\"#\\s{}\\[\\],]+)\\2\\s*(#.*)?");
        Optional<String> text = lines.stream()
                .map(line::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(3))
                .findFirst();
        if (text.isEmpty()) {
            refuseOtherwise(key, lines);
        }
        return text;
    }

    /** The snitch decides where data is: one that YAML would have found must not be replaced by the default. */
    private static void refuseOtherwise(String key, List<String> lines) {
        // Not as a part of a name or of a path.
        Pattern word = Pattern.compile("(?<![\\w./-])" + Pattern.quote(key) + "(?![\\w./-])");
        for (String line : lines) {
            if (word.matcher(COMMENT.matcher(line).replaceFirst("")).find()) {
                throw new ConfigurationException(
                        "isotherm.yaml: " + key + " is refused in the line \"" + line.strip()
                                + "\"; allowed, as it is read without a YAML parser here: a line that begins with "
                                + key + ": and has one word behind that",
                        false);
            }
        }
    }

    private static List<String> lines() {
        // A decoder of its own reports what is not UTF-8, as the parser's does.
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(ConfigFile.open(), StandardCharsets.UTF_8.newDecoder()))) {
            List<String> lines = reader.lines().collect(Collectors.toList());
            if (!lines.isEmpty() && lines.get(0).startsWith(BYTE_ORDER_MARK)) {
                lines.set(0, lines.get(0).substring(BYTE_ORDER_MARK.length()));
            }
            return lines;
        } catch (UncheckedIOException e) {
            throw ConfigFile.unreadable(e.getCause());
        } catch (IOException e) {
            throw ConfigFile.unreadable(e);
        }
    }
}
