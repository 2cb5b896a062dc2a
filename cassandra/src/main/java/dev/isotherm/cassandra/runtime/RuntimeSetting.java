// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A setting that can be changed while the node runs, for this node only; its name is that in {@code isotherm.yaml}. */
public final class RuntimeSetting {
    private final String name;
    private final Supplier<String> value;
    private final Consumer<String> change;
    private final boolean keepable;
    private final Consumer<Map<String, String>> check;

    /**
     * A setting that ends with the process.
     *
     * @param value the present value, as text
     * @param change takes a new value; throws an IllegalArgumentException that says what is allowed
     */
    public RuntimeSetting(String name, Supplier<String> value, Consumer<String> change) {
        this(name, value, change, false, kept -> {});
    }

    /**
     * Settings whose values may outlive the process.
     *
     * @param value the present value of a name, as text
     * @param change takes a name and its new value; throws an IllegalArgumentException that says what is allowed
     * @param check takes the values of some of these names; throws an IllegalArgumentException that says why a process
     *     cannot begin with them beside the configuration's of the others
     */
    public static List<RuntimeSetting> keepable(
            List<String> names,
            UnaryOperator<String> value,
            BiConsumer<String, String> change,
            Consumer<Map<String, String>> check) {
        Consumer<Map<String, String>> ofTheirs = kept -> {
            Map<String, String> theirs = new TreeMap<>(kept);
            theirs.keySet().retainAll(names);
            check.accept(theirs);
        };
        return names.stream()
                .map(name -> new RuntimeSetting(
                        name, () -> value.apply(name), to -> change.accept(name, to), true, ofTheirs))
                .collect(Collectors.toList());
    }

    private RuntimeSetting(
            String name,
            Supplier<String> value,
            Consumer<String> change,
            boolean keepable,
            Consumer<Map<String, String>> check) {
        this.name = name;
        this.value = value;
        this.change = change;
        this.keepable = keepable;
        this.check = check;
    }

    /** The same setting, whose value may outlive the process. */
    public RuntimeSetting keepable() {
        return new RuntimeSetting(name, value, change, true, check);
    }

    /** Whether the value may outlive the process. */
    public boolean isKeepable() {
        return keepable;
    }

    /**
     * Checks that a process can begin with these values.
     *
     * @param kept by name; those of other settings may be among them
     * @throws IllegalArgumentException that says why it cannot
     */
    void refuseUnlessRestorable(Map<String, String> kept) {
        check.accept(kept);
    }

    public String name() {
        return name;
    }

    public String value() {
        return value.get();
    }

    /** @throws IllegalArgumentException whose message says which values are allowed */
    public void change(String to) {
        change.accept(to);
    }
}
