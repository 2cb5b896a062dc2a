// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The settings of one node that can be changed while it runs: what runs, what the configuration says, since when, and
 * which changes outlive the process. Thread safe.
 */
public final class NodeSettings {
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    /**
     * Held while something is stored, which a disk may take for ever, and never waited for with this object's own lock:
     * what need not be stored can be changed meanwhile, as a feature that is to be switched off.
     */
    private final Object storing = new Object();
    /** What is stored; guarded by the lock above. */
    private final Map<String, String> kept = new TreeMap<>();

    private final Consumer<Map<String, String>> keeper;
    private final LongSupplier clockMillis;

    /**
     * @param settings what can be changed, with the values of the configuration
     * @param keeper stores the values to keep, by name; throws an IllegalArgumentException that says why it cannot
     * @param clockMillis the time, in milliseconds since 1970
     */
    public NodeSettings(List<RuntimeSetting> settings, Consumer<Map<String, String>> keeper, LongSupplier clockMillis) {
        this.keeper = keeper;
        this.clockMillis = clockMillis;
        for (RuntimeSetting setting : settings) {
            entries.put(setting.name(), new Entry(setting, clockMillis.getAsLong()));
        }
    }

    /** One setting on this node. */
    public static final class Entry {
        private final RuntimeSetting setting;
        private final String configured;
        private volatile long sinceMillis;
        private volatile boolean isKept;
        /** The threads that store it, or wait to. */
        private int stores;

        private Entry(RuntimeSetting setting, long startMillis) {
            this.setting = setting;
            this.configured = setting.value();
            this.sinceMillis = startMillis;
        }

        public String name() {
            return setting.name();
        }

        /** The value that runs. */
        public String value() {
            return setting.value();
        }

        /** The value of the configuration, as the process started. */
        public String configured() {
            return configured;
        }

        /** The time at which the value was set, or the process started; milliseconds since 1970. */
        public long sinceMillis() {
            return sinceMillis;
        }

        /** Whether the value outlives the process. */
        public boolean isKept() {
            return isKept;
        }
    }

    /** All settings, in their order. */
    public List<Entry> entries() {
        return Collections.unmodifiableList(new ArrayList<>(entries.values()));
    }

    /**
     * Sets the values that an earlier process kept, before the node serves.
     *
     * @param values by name
     * @throws IllegalArgumentException naming the setting, the value and what is allowed
     */
    public void restore(Map<String, String> values) {
        Map<String, String> left = new TreeMap<>(values);
        IllegalArgumentException refusal;
        int before;
        do {
            // A value may be refused only until another one is set, as the least of something before the most of it.
            refusal = null;
            before = left.size();
            for (String name : List.copyOf(left.keySet())) {
                try {
                    restore(name, left.get(name));
                    left.remove(name);
                } catch (IllegalArgumentException e) {
                    refusal = refusal == null ? e : refusal;
                }
            }
        } while (refusal != null && left.size() < before);
        if (refusal != null) {
            throw refusal;
        }
    }

    /**
     * Keeps values of settings that this process does not have, as those of a feature that could not be made: they are
     * written with the others, for the next process.
     *
     * @param values by name
     */
    public void keepForLater(Map<String, String> values) {
        synchronized (storing) {
            kept.putAll(values);
        }
    }

    private void restore(String name, String value) {
        Entry entry = entryOf(name);
        refuseUnlessKeepable(entry);
        synchronized (storing) {
            set(entry, value);
            entry.isKept = true;
            kept.put(name, entry.value());
        }
    }

    /** As {@link #change(String, String, boolean)}; whether the value is kept stays as it is. */
    public void change(String name, String value) {
        change(entryOf(name), value, entryOf(name).isKept);
    }

    /**
     * Sets the value of a setting, and whether it outlives the process. The value runs before it is stored; if it is to
     * be kept and cannot, the one before runs again. One that is not to be kept runs in any case: what cannot be
     * written must not hold up who switches something off.
     *
     * @throws IllegalArgumentException naming the setting, the value and what is allowed
     */
    public void change(String name, String value, boolean keep) {
        Entry entry = entryOf(name);
        if (keep) {
            refuseUnlessKeepable(entry);
        }
        change(entry, value, keep);
    }

    private void change(Entry entry, String value, boolean keep) {
        String before;
        String after;
        long beforeMillis;
        synchronized (this) {
            before = entry.value();
            beforeMillis = entry.sinceMillis;
            set(entry, value);
            after = entry.value();
            if (!keep && !entry.isKept && entry.stores == 0) {
                return;
            }
            entry.stores++;
        }
        try {
            store(entry, keep);
        } catch (IllegalArgumentException e) {
            if (keep) {
                takeBack(entry, after, before, beforeMillis);
            }
            throw e;
        } finally {
            hasStored(entry);
        }
    }

    private synchronized void hasStored(Entry entry) {
        entry.stores--;
    }

    /** Sets the value that was there before, unless somebody has set another one since. */
    private synchronized void takeBack(Entry entry, String after, String before, long beforeMillis) {
        if (entry.value().equals(after)) {
            entry.setting.change(before);
            entry.sinceMillis = beforeMillis;
        }
    }

    /**
     * Has the value of a setting outlive the process from now on, or no longer.
     *
     * @throws IllegalArgumentException naming the setting and what is allowed
     */
    public void keep(String name, boolean keep) {
        Entry entry = entryOf(name);
        if (keep) {
            refuseUnlessKeepable(entry);
        }
        synchronized (this) {
            entry.stores++;
        }
        try {
            store(entry, keep);
        } finally {
            hasStored(entry);
        }
    }

    private synchronized void set(Entry entry, String value) {
        try {
            entry.setting.change(value);
        } catch (IllegalArgumentException e) {
            throw refusal(entry.name(), value, e.getMessage());
        }
        entry.sinceMillis = clockMillis.getAsLong();
    }

    private static void refuseUnlessKeepable(Entry entry) {
        if (!entry.setting.isKeepable()) {
            throw refusal(entry.name() + ": kept", "true", "false: this setting ends with the process");
        }
    }

    /** Stores the value that runs now: of two changes at the same time the later one. */
    private void store(Entry entry, boolean keep) {
        synchronized (storing) {
            Map<String, String> stored = new TreeMap<>(kept);
            if (keep) {
                stored.put(entry.name(), entry.value());
            } else {
                stored.remove(entry.name());
            }
            if (!stored.equals(kept)) {
                try {
                    // What goes with a value that runs may not go with the one that the configuration has.
                    entry.setting.refuseUnlessRestorable(stored);
                    keeper.accept(stored);
                } catch (IllegalArgumentException e) {
                    throw keep
                            ? refusal(entry.name() + ": kept", "true", "false: " + e.getMessage())
                            : new IllegalArgumentException(entry.name() + ": " + entry.value()
                                    + " runs, but the next process begins with what was kept: " + e.getMessage());
                }
                kept.clear();
                kept.putAll(stored);
            }
            entry.isKept = keep;
        }
    }

    /**
     * The value that runs.
     *
     * @throws IllegalArgumentException naming the settings that there are
     */
    public String valueOf(String name) {
        return entryOf(name).value();
    }

    /** Whether the node has a setting of this name. */
    public boolean has(String name) {
        return entries.containsKey(name);
    }

    private Entry entryOf(String name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw refusal("name", name, entries.keySet().stream().collect(Collectors.joining(", ")));
        }
        return entry;
    }

    private static IllegalArgumentException refusal(String key, String value, String allowed) {
        return new IllegalArgumentException(key + ": " + value + " is refused; allowed: " + allowed);
    }
}
