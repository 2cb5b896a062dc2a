// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Some keys of a section whose values can change while the node runs, and what is made of them: a change is checked as
 * the file is, by reading all of these keys anew. Thread safe.
 *
 * @param <T> what is made of them; immutable
 */
public final class ChangeableKeys<T> {
    private final Function<ConfigSection, T> reader;
    private final T configured;
    private final ConfigSection file;
    private volatile ConfigSection present;

    /** @throws org.apache.cassandra.exceptions.ConfigurationException at a value that the reader refuses */
    ChangeableKeys(ConfigSection section, Function<ConfigSection, T> reader) {
        this.reader = reader;
        this.configured = reader.apply(section);
        this.file = section;
        this.present = section;
    }

    /** What is made of the values of the file. */
    public T configured() {
        return configured;
    }

    /** The names of the keys with their section, in the order in which they are read. */
    public List<String> names() {
        return present.keys().stream().map(present::nameOf).collect(Collectors.toList());
    }

    /** The value that runs, as text, of a key by its name. */
    public String valueOf(String name) {
        return present.textOf(present.keyOf(name));
    }

    /**
     * Checks these values of some keys beside the file's of all others: a process can begin with them.
     *
     * @param values by name
     * @throws IllegalArgumentException naming the key that the others do not go with, its value and what is allowed
     */
    public void refuseUnlessRight(Map<String, String> values) {
        ConfigSection changed = file;
        for (Map.Entry<String, String> value : values.entrySet()) {
            changed = changed.with(file.keyOf(value.getKey()), value.getValue());
        }
        try {
            reader.apply(changed);
        } catch (ConfigMistake mistake) {
            throw new IllegalArgumentException(mistake.sentence(), mistake);
        }
    }

    /**
     * Changes the value of one key.
     *
     * @param follower receives what is made of the values then; one change at a time
     * @throws IllegalArgumentException whose message says what is allowed; nothing has changed then
     */
    public synchronized void change(String name, String value, Consumer<T> follower) {
        ConfigSection changed = present.with(present.keyOf(name), value);
        T made;
        try {
            made = reader.apply(changed);
        } catch (ConfigMistake mistake) {
            throw new IllegalArgumentException(mistake.allowedFor(name), mistake);
        }
        follower.accept(made);
        present = changed;
    }
}
