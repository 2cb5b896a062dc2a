// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.cassandra.exceptions.ConfigurationException;

/** One mapping of the configuration file: provides its values and refuses keys that no caller reads. */
public final class ConfigSection {
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,9}");
    private static final Pattern NUMBER = Pattern.compile("-?(\\d+(\\.\\d*)?|\\.\\d+)([eE]-?\\d+)?");

    private final String prefix;
    private final Map<?, ?> values;
    /** The keys that were read, each with the value that runs, as text; that of a section is empty. */
    private final Map<String, String> known = new LinkedHashMap<>();

    /**
     * @param name the section's key, empty for the whole file
     * @param value the file's value for the section; null reads as an empty section
     * @throws ConfigurationException when the value is not a mapping
     */
    ConfigSection(String name, Object value) {
        if (value != null && !(value instanceof Map)) {
            throw new ConfigMistake(name.isEmpty() ? "the file" : name, value, "a mapping of keys to values");
        }
        this.prefix = name.isEmpty() ? "" : name + ".";
        this.values = value == null ? Map.of() : (Map<?, ?>) value;
    }

    private ConfigSection(Map<?, ?> values, String prefix) {
        this.prefix = prefix;
        this.values = values;
    }

    public ConfigSection section(String key) {
        known.put(key, "");
        return new ConfigSection(prefix + key, values.get(key));
    }

    /**
     * Reads keys whose values can change while the node runs.
     *
     * @param reader makes something of them; it is called again after each change
     */
    public <T> ChangeableKeys<T> changeable(Function<ConfigSection, T> reader) {
        ConfigSection section = new ConfigSection(values, prefix);
        ChangeableKeys<T> keys = new ChangeableKeys<>(section, reader);
        known.putAll(section.known);
        return keys;
    }

    /** The same section with another value of one key, and nothing read of it yet. */
    ConfigSection with(String key, String text) {
        Map<Object, Object> changed = new HashMap<>(values);
        changed.put(key, scalar(text.trim()));
        return new ConfigSection(changed, prefix);
    }

    private static Object scalar(String text) {
        if (WHOLE.matcher(text).matches()) {
            return Integer.valueOf(text);
        }
        if (NUMBER.matcher(text).matches()) {
            return Double.valueOf(text);
        }
        return text;
    }

    /** The keys that were read. */
    List<String> keys() {
        return List.copyOf(known.keySet());
    }

    /** The key with the names of the sections around it. */
    String nameOf(String key) {
        return prefix + key;
    }

    /** The key of such a name. */
    String keyOf(String name) {
        return name.substring(prefix.length());
    }

    /** The value of a key that was read, or its default, as text. */
    String textOf(String key) {
        return known.get(key);
    }

    public String text(String key, String fallback) {
        return text(key, fallback, "text", value -> !value.isBlank());
    }

    /** A file of the node: what a relative path means depends on who reads it, the node or the scripts. */
    public String absolutePath(String key, String fallback) {
        // InvalidPathException is an IllegalArgumentException, too.
        return text(key, fallback, "an absolute path", value -> Path.of(value).isAbsolute());
    }

    private String text(String key, String fallback, String allowed, Predicate<String> isAllowed) {
        return read(key, fallback, allowed, value -> {
            String text = value instanceof String ? ((String) value).trim() : "";
            if (!isAllowed.test(text)) {
                throw new IllegalArgumentException();
            }
            return text;
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
        return DurationText.nanos(read(key, fallback, allowed, value -> {
            String text = String.valueOf(value).trim();
            long nanos = DurationText.nanos(text);
            if (nanos < DurationText.nanos(least) || nanos > DurationText.nanos(most)) {
                throw new IllegalArgumentException();
            }
            return text;
        }));
    }

    public long bytes(String key, String fallback, String least, String most) {
        String allowed = SizeText.FORM + ", from " + least + " to " + most;
        return SizeText.bytes(read(key, fallback, allowed, value -> {
            String text = String.valueOf(value).trim();
            long bytes = SizeText.bytes(text);
            if (bytes < SizeText.bytes(least) || bytes > SizeText.bytes(most)) {
                throw new IllegalArgumentException();
            }
            return text;
        }));
    }

    public <T> T read(String key, T fallback, String allowed, Function<Object, T> reader) {
        known.put(key, text(fallback));
        if (!values.containsKey(key)) {
            return fallback;
        }
        Object value = values.get(key);
        try {
            T read = reader.apply(value);
            known.put(key, text(read));
            return read;
        } catch (IllegalArgumentException e) {
            throw mistake(key, value, allowed);
        }
    }

    private static String text(Object value) {
        String text = String.valueOf(value);
        return value instanceof Enum ? text.toLowerCase(Locale.ROOT) : text;
    }

    /** @throws ConfigurationException when the section holds a key that was never read */
    public void refuseUnknownKeys() {
        for (Object key : values.keySet()) {
            if (!known.containsKey(String.valueOf(key))) {
                throw mistake(
                        String.valueOf(key),
                        values.get(key),
                        "no such key; known here are " + new TreeSet<>(known.keySet()));
            }
        }
    }

    /** The exception that refuses a value of one of the section's keys. */
    public ConfigurationException mistake(String key, Object value, String allowed) {
        return new ConfigMistake(prefix + key, value, allowed);
    }
}
