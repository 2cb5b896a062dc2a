// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.cassandra.exceptions.ConfigurationException;

/** One mapping of the configuration file: provides its values and refuses keys that no caller reads. */
public final class ConfigSection {
    private final String prefix;
    private final Map<?, ?> values;
    private final Set<String> known = new HashSet<>();

    /**
     * @param name the section's key, empty for the whole file
     * @param value the file's value for the section; null reads as an empty section
     * @throws ConfigurationException when the value is not a mapping
     */
    ConfigSection(String name, Object value) {
        this.prefix = name.isEmpty() ? "" : name + ".";
        if (value != null && !(value instanceof Map)) {
            throw refusal(name.isEmpty() ? "the file" : name, value, "a mapping of keys to values");
        }
        this.values = value == null ? Map.of() : (Map<?, ?>) value;
    }

    public ConfigSection section(String key) {
        known.add(key);
        return new ConfigSection(prefix + key, values.get(key));
    }

    public String text(String key, String fallback) {
        return read(key, fallback, "text", value -> {
            if (!(value instanceof String) || ((String) value).isBlank()) {
                throw new IllegalArgumentException();
            }
            return ((String) value).trim();
        });
    }

    public boolean flag(String key, boolean fallback) {
        return read(key, fallback, "true or false", value -> {
            if (!(value instanceof Boolean)) {
                throw new IllegalArgumentException();
            }
            return (Boolean) value;
        });
    }

    public double fraction(String key, double fallback, double least, double most) {
        return read(key, fallback, "a number from " + least + " to " + most, value -> {
            double number = value instanceof Number ? ((Number) value).doubleValue() : Double.NaN;
            if (!(number >= least && number <= most)) {
                throw new IllegalArgumentException();
            }
            return number;
        });
    }

    public int count(String key, int fallback, int least, int most) {
        return read(key, fallback, "a whole number from " + least + " to " + most, value -> {
            if (!(value instanceof Integer) || (Integer) value < least || (Integer) value > most) {
                throw new IllegalArgumentException();
            }
            return (Integer) value;
        });
    }

    public long nanos(String key, String fallback, String least, String most) {
        String allowed = DurationText.FORM + ", from " + least + " to " + most;
        return read(key, DurationText.nanos(fallback), allowed, value -> {
            long nanos = DurationText.nanos(String.valueOf(value));
            if (nanos < DurationText.nanos(least) || nanos > DurationText.nanos(most)) {
                throw new IllegalArgumentException();
            }
            return nanos;
        });
    }

    public long bytes(String key, String fallback, String least, String most) {
        String allowed = SizeText.FORM + ", from " + least + " to " + most;
        return read(key, SizeText.bytes(fallback), allowed, value -> {
            long bytes = SizeText.bytes(String.valueOf(value));
            if (bytes < SizeText.bytes(least) || bytes > SizeText.bytes(most)) {
                throw new IllegalArgumentException();
            }
            return bytes;
        });
    }

    public <T> T read(String key, T fallback, String allowed, Function<Object, T> reader) {
        known.add(key);
        if (!values.containsKey(key)) {
            return fallback;
        }
        Object value = values.get(key);
        try {
            return reader.apply(value);
        } catch (IllegalArgumentException e) {
            throw mistake(key, value, allowed);
        }
    }

    /** @throws ConfigurationException when the section holds a key that was never read */
    public void refuseUnknownKeys() {
        for (Object key : values.keySet()) {
            if (!known.contains(String.valueOf(key))) {
                throw mistake(
                        String.valueOf(key), values.get(key), "no such key; known here are " + new TreeSet<>(known));
            }
        }
    }

    /** The exception that refuses a value of one of the section's keys. */
    public ConfigurationException mistake(String key, Object value, String allowed) {
        return refusal(prefix + key, value, allowed);
    }

    private static ConfigurationException refusal(String key, Object value, String allowed) {
        return new ConfigurationException(
                "isotherm.yaml: " + key + ": " + value + " is refused; allowed: " + allowed, false);
    }
}
