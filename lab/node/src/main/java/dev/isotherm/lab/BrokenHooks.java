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
        if (calls.computeIfAbsent(hook, name -> new AtomicLong()).getAndIncrement() % 2 == 0) {
            throw new IllegalStateException("broken by the lab: " + hook);
        }
    }
}
