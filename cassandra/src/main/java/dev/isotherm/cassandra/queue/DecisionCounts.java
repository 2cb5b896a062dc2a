// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.queue.DecisionKind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** The number of choices of a leader by kind, since the node started. */
final class DecisionCounts {
    private final Map<DecisionKind, LongAdder> byKind = new EnumMap<>(DecisionKind.class);
    /** The choices of {@link DecisionKind#REDIRECTED} on a node that was a replica itself. */
    private final LongAdder redirectedFromReplica = new LongAdder();
    /** Choices that waited for answers until the timeout, with any result. */
    private final LongAdder timeouts = new LongAdder();

    DecisionCounts() {
        for (DecisionKind kind : DecisionKind.values()) {
            byKind.put(kind, new LongAdder());
        }
    }

    void decided(DecisionKind kind, boolean isReplica) {
        byKind.get(kind).increment();
        if (kind == DecisionKind.REDIRECTED && isReplica) {
            redirectedFromReplica.increment();
        }
    }

    void timedOut() {
        timeouts.increment();
    }

    private long of(DecisionKind kind) {
        return byKind.get(kind).sum();
    }

    /**
     * All counts by their metric names: one name for each kind, and Riak's names for the events that Riak counts too.
     */
    Map<String, LongSupplier> byName() {
        Map<String, LongSupplier> counts = new LinkedHashMap<>();
        for (DecisionKind kind : DecisionKind.values()) {
            counts.put("Leader" + inCamelCase(kind), () -> of(kind));
        }
        counts.put("coord_local_unloaded", () -> of(DecisionKind.LOCAL));
        counts.put("coord_local_soft_loaded", () -> of(DecisionKind.LOCAL_OVER_LIMIT));
        counts.put("coord_redir_loaded_local", redirectedFromReplica::sum);
        counts.put("coord_redir_unloaded", () -> of(DecisionKind.REDIRECTED) - redirectedFromReplica.sum());
        counts.put("coord_redir_least_loaded", () -> of(DecisionKind.LEAST_LOADED));
        counts.put("vnode_mbox_check_timeout", timeouts::sum);
        return counts;
    }

    private static String inCamelCase(DecisionKind kind) {
        return Arrays.stream(kind.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }
}
