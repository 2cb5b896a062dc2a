// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hooks of the plugin that throw, each at its first call and then at every second one: what a hook has not begun has no
 * end, and hooks that are called only then would not be called at all.
 */
final class BrokenHooks implements Hooks.Fault {
    private final Map<String, AtomicLong> calls = new ConcurrentHashMap<>();

    @Override
    public void befall(String hook) {
        long call = calls.computeIfAbsent(hook, name -> new AtomicLong()).getAndIncrement();
        if (call % 2 == 0) {
            fail("broken by the lab: " + hook, (int) (call / 2 % 3));
        }
    }

    /** What Cassandra's code throws beneath a hook, too: it asserts, and another release may lack what a hook names. */
    private static void fail(String why, int kind) {
        switch (kind) {
            case 0:
                throw new IllegalStateException(why);
            case 1:
                throw new AssertionError(why);
            default:
                throw new NoSuchMethodError(why);
        }
    }
}
