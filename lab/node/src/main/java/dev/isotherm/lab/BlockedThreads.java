// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.apache.cassandra.net.MessagingService;

/**
 * Threads of Cassandra's own that block, one after the other: of each kind as many times as is said, each as it is
 * about to send a message or to serve one.
 *
 * <p>It is what {@link BlockedHooks} does to the same threads, for a node that has no hooks to block.
 */
final class BlockedThreads {
    private static volatile BlockedThreads present;

    private static boolean attached;

    private final long nanos;
    private final Map<String, Integer> left;
    private final LongConsumer wait;
    private final AtomicBoolean blocks = new AtomicBoolean();
    private final Map<String, Integer> blocked = new TreeMap<>();

    /**
     * @param times how often threads of each kind block
     * @param wait blocks the present thread for so many nanoseconds
     */
    BlockedThreads(long nanos, Map<String, Integer> times, LongConsumer wait) {
        this.nanos = nanos;
        this.left = new ConcurrentHashMap<>(times);
        this.wait = wait;
    }

    /** Lets this befall the node's threads from now on; null: nothing any more. */
    static synchronized void suffer(BlockedThreads next) {
        present = next;
        if (!attached) {
            MessagingService.instance().inboundSink.add(message -> passed());
            MessagingService.instance().outboundSink.add((message, to) -> passed());
            attached = true;
        }
    }

    private static boolean passed() {
        BlockedThreads own = present;
        if (own != null) {
            own.befall(Thread.currentThread().getName());
        }
        return true;
    }

    /** Blocks the present thread, which has this name, if one of its kind is still to block and none does. */
    void befall(String thread) {
        String kind = BlockedHooks.kindOf(thread);
        if (!left.containsKey(kind) || !blocks.compareAndSet(false, true)) {
            return;
        }
        try {
            // Nobody else is here: another may have been the last of its kind since it was looked for.
            Integer times = left.get(kind);
            if (times != null) {
                left.compute(kind, (name, present) -> times > 1 ? times - 1 : null);
                count(kind);
                wait.accept(nanos);
            }
        } finally {
            blocks.set(false);
        }
    }

    private synchronized void count(String kind) {
        blocked.merge(kind, 1, Integer::sum);
    }

    /** How often threads of each kind have blocked. */
    synchronized Map<String, Integer> blocked() {
        return new TreeMap<>(blocked);
    }
}
