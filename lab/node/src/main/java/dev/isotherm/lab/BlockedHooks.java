// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/**
 * Hooks of the plugin that block, each once and one after the other: the next call of one that has not blocked yet does
 * as soon as none does.
 *
 * <p>Several nodes share the hooks among themselves by their names, so that each hook blocks on one of them.
 */
final class BlockedHooks implements Hooks.Fault {
    private final long nanos;
    private final int part;
    private final int parts;
    private final LongConsumer wait;
    private final AtomicBoolean blocks = new AtomicBoolean();
    private final Map<String, String> threads = new ConcurrentHashMap<>();

    /**
     * @param part which of the hooks block here, from 0
     * @param parts the nodes that share them
     * @param wait blocks the present thread for so many nanoseconds
     */
    BlockedHooks(long nanos, int part, int parts, LongConsumer wait) {
        if (part < 0 || part >= parts) {
            throw new IllegalArgumentException("of " + parts + " parts there is none with the number " + part);
        }
        this.nanos = nanos;
        this.part = part;
        this.parts = parts;
        this.wait = wait;
    }

    @Override
    public void befall(String hook) {
        if (blocks.get() || threads.containsKey(hook) || Math.floorMod(hook.hashCode(), parts) != part) {
            return;
        }
        if (!blocks.compareAndSet(false, true)) {
            return;
        }
        try {
            if (threads.putIfAbsent(hook, kindOf(Thread.currentThread().getName())) == null) {
                wait.accept(nanos);
            }
        } finally {
            blocks.set(false);
        }
    }

    /** The hooks that have blocked, each with the kind of the thread that it held. */
    Map<String, String> threads() {
        return threads;
    }

    /** A thread's name without its number. */
    static String kindOf(String thread) {
        return thread.replaceFirst("[-:]\\d.*", "");
    }
}
