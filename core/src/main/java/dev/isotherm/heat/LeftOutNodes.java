// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The nodes that a coordinator leaves out of its reads, and those that it did lately: for twice as long after their
 * return as they were left out, two minutes at most. Questions take no lock; changes are made under the board's.
 */
final class LeftOutNodes<N> {
    /*
     * While a node is left out, the caches of the others take in the rows that were its own, the more the longer it
     * lasts. After its return they fetch back what they dropped for these, which takes longer: only what they miss is
     * replaced, less and less of what they read. Who is left out for moments is none of these nodes: nothing has
     * changed places in that time, and each of them would outdate plans.
     */
    private static final long LEAST_NANOS = 5_000_000_000L;
    private static final long MOST_NANOS = 120_000_000_000L;

    /** Since when a node is left out, and how long it counts as such after its return. */
    private static final class Stay {
        private final long sinceNanos;
        /** What was left of an earlier stay. */
        private final long owedNanos;

        private long untilNanos;
        private boolean isOver;

        Stay(long sinceNanos, long owedNanos) {
            this.sinceNanos = sinceNanos;
            this.owedNanos = owedNanos;
        }

        boolean isLong(long nowNanos) {
            return owedNanos > 0 || nowNanos - sinceNanos >= LEAST_NANOS;
        }

        void end(long nowNanos) {
            isOver = true;
            untilNanos = nowNanos + Math.min(MOST_NANOS, owedNanos + 2 * (nowNanos - sinceNanos));
        }

        long owed(long nowNanos) {
            return Math.max(0, untilNanos - nowNanos);
        }
    }

    private final Map<N, Stay> stays = new ConcurrentHashMap<>();
    private final Set<N> counting = ConcurrentHashMap.newKeySet();

    /**
     * Looks at each of the nodes.
     *
     * @param isLeftOut whether the coordinator leaves it out now
     * @return those that have begun to count, or do so no more
     */
    Set<N> look(Iterable<N> nodes, Predicate<N> isLeftOut, long nowNanos) {
        Set<N> changed = new HashSet<>();
        for (N node : nodes) {
            Stay stay = stays.get(node);
            boolean isOut = isLeftOut.test(node);
            if (isOut && (stay == null || stay.isOver)) {
                stays.put(node, new Stay(nowNanos, stay == null ? 0 : stay.owed(nowNanos)));
            } else if (isOut) {
                if (stay.isLong(nowNanos) && counting.add(node)) {
                    changed.add(node);
                }
            } else if (stay != null) {
                if (!stay.isOver) {
                    stay.end(nowNanos);
                }
                if (!counting.contains(node) || stay.owed(nowNanos) == 0) {
                    stays.remove(node);
                    if (counting.remove(node)) {
                        changed.add(node);
                    }
                }
            }
        }
        return changed;
    }

    boolean has(N node) {
        return counting.contains(node);
    }

    void forget(N node) {
        stays.remove(node);
        counting.remove(node);
    }
}
