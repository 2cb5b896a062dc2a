// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.common.DecayedRatio;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** The orders with which Isotherm's is compared. */
final class Rivals {
    private Rivals() {}

    /** A random order; the coordinator first if it is among those contacted. */
    static Order uniform(int self, int contacts, SplittableRandom random) {
        return (partition, living, into) -> {
            for (int i = 0; i < living.length; i++) {
                int j = random.nextInt(i + 1);
                into[i] = into[j];
                into[j] = living[i];
            }
            for (int i = 1; i < Math.min(contacts, into.length); i++) {
                if (into[i] == self) {
                    into[i] = into[0];
                    into[0] = self;
                }
            }
        };
    }

    /** The coordinator first, then the ring's order: a snitch by topology with one rack. */
    static Order fixed(int self) {
        return (partition, living, into) -> selfFirst(self, living, into);
    }

    static void selfFirst(int self, int[] living, int[] into) {
        int at = 0;
        for (int replica : living) {
            if (replica == self) {
                into[at++] = self;
            }
        }
        for (int replica : living) {
            if (replica != self) {
                into[at++] = replica;
            }
        }
    }

    /**
     * The fixed order, but replicas whose reads take more than twice as long as those of the fastest of the group come
     * last, for as long as nothing else is heard of them: what a snitch by latency does.
     */
    static Order shunning(int self, Events events) {
        return new Shunning(self, events);
    }

    private static final class Shunning implements Order {
        private static final double BAD = 2;
        private static final long SMOOTHING_NANOS = 10 * Simulation.SECOND;

        private final int self;
        private final Events events;
        private final Map<Integer, DecayedRatio> latencies = new HashMap<>();

        Shunning(int self, Events events) {
            this.self = self;
            this.events = events;
        }

        @Override
        public void order(int partition, int[] living, int[] into) {
            selfFirst(self, living, into);
            double fastest = Double.POSITIVE_INFINITY;
            for (int replica : into) {
                fastest = Math.min(fastest, latency(replica));
            }
            int[] all = into.clone();
            int at = 0;
            for (int replica : all) {
                if (latency(replica) <= BAD * fastest) {
                    into[at++] = replica;
                }
            }
            for (int replica : all) {
                if (latency(replica) > BAD * fastest) {
                    into[at++] = replica;
                }
            }
        }

        private double latency(int replica) {
            DecayedRatio latency = latencies.get(replica);
            return latency == null ? 0 : latency.value();
        }

        /** As Cassandra's dynamic snitch does. */
        @Override
        public boolean countsExpired() {
            return true;
        }

        @Override
        public void answered(int replica, long nanos) {
            latencies
                    .computeIfAbsent(replica, r -> new DecayedRatio(SMOOTHING_NANOS, nanos, 1, events.now()))
                    .add(nanos, 1, events.now());
        }
    }
}
