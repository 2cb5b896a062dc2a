// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads amounts of memory such as {@code 512KiB} and {@code 2MiB}. */
final class SizeText {
    static final String FORM = "a number with a unit: 512KiB, 2MiB or 1GiB";

    private static final Pattern PATTERN = Pattern.compile("(\\d{1,6})\\s*(KiB|MiB|GiB)");

    private SizeText() {}

    /**
     * The amount in bytes.
     *
     * @throws IllegalArgumentException when the text is not of {@link #FORM}
     */
    static long bytes(String text) {
        Matcher matcher = PATTERN.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not " + FORM);
        }
        int shift = matcher.group(2).equals("KiB") ? 10 : matcher.group(2).equals("MiB") ? 20 : 30;
        return Long.parseLong(matcher.group(1)) << shift;
    }
}
