// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * A plugin whose snitch's hooks throw: what they need is taken from them, so that each call ends in a
 * NullPointerException where the plugin's own code is.
 *
 * <p>The lab does not know the plugin. A hook is an object that a field of the snitch refers to, and whose class is the
 * plugin's; taken from it is what its fields refer to, but for what counts failures.
 */
final class BrokenHooks {
    private static final String PLUGIN = "dev.isotherm.cassandra.";
    private static final String COUNTS_FAILURES = "Failures";

    private final Object snitch;
    private final String packages;
    private final List<Taken> taken = new ArrayList<>();

    BrokenHooks(Object snitch) {
        this(snitch, PLUGIN);
    }

    /** @param packages how the names of the plugin's classes begin */
    BrokenHooks(Object snitch, String packages) {
        this.snitch = snitch;
        this.packages = packages;
    }

    /** Breaks the hooks; returns how many there are, which is 0 without the plugin. */
    synchronized int breakAll() throws IllegalAccessException {
        mend();
        int hooks = 0;
        for (Field field : references(snitch)) {
            Object hook = field.get(snitch);
            if (hook != null && hook.getClass().getName().startsWith(packages)) {
                for (Field needed : references(hook)) {
                    taken.add(new Taken(hook, needed, needed.get(hook)));
                    needed.set(hook, null);
                }
                hooks++;
            }
        }
        return hooks;
    }

    /** Gives back what was taken. */
    synchronized void mend() throws IllegalAccessException {
        for (Taken each : taken) {
            each.field.set(each.hook, each.value);
        }
        taken.clear();
    }

    private static List<Field> references(Object object) {
        List<Field> found = new ArrayList<>();
        for (Field field : object.getClass().getDeclaredFields()) {
            boolean counts = field.getType().getSimpleName().equals(COUNTS_FAILURES);
            if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers()) && !counts) {
                field.setAccessible(true);
                found.add(field);
            }
        }
        return found;
    }

    private static final class Taken {
        final Object hook;
        final Field field;
        final Object value;

        Taken(Object hook, Field field, Object value) {
            this.hook = hook;
            this.field = field;
            this.value = value;
        }
    }
}
