// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations such as {@code 500us}, {@code 10ms} and {@code 90s}. */
public final class DurationText {
    public static final String FORM = "a number with a unit: 500us, 10ms, 90s or 2m";

    private static final Pattern PATTERN = Pattern.compile("(\\d{1,9})\\s*(us|ms|s|m)");

    private DurationText() {}

    /**
     * The duration in nanoseconds.
     *
     * @throws IllegalArgumentException when the text is not of {@link #FORM}
     */
    public static long nanos(String text) {
        Matcher matcher = PATTERN.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not " + FORM);
        }
        return unit(matcher.group(2)).toNanos(Long.parseLong(matcher.group(1)));
    }

    private static TimeUnit unit(String name) {
        switch (name) {
            case "us":
                return TimeUnit.MICROSECONDS;
            case "ms":
                return TimeUnit.MILLISECONDS;
            case "s":
                return TimeUnit.SECONDS;
            default:
                return TimeUnit.MINUTES;
        }
    }
}
