// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** The least of what reads take at each replica, without any one of them: where its reads would go. For one thread. */
final class LeastElsewhere {
    private static final long NONE = Long.MAX_VALUE;

    private ReadWatch fastest;
    private long least = NONE;
    private long second = NONE;
    private int replicas;

    void clear() {
        fastest = null;
        least = NONE;
        second = NONE;
        replicas = 0;
    }

    /** @param nanos what reads take there; -1 if not known */
    void add(ReadWatch replica, long nanos) {
        replicas++;
        if (nanos < 0) {
            return;
        }
        if (nanos < least) {
            second = least;
            least = nanos;
            fastest = replica;
        } else {
            second = Math.min(second, nanos);
        }
    }

    /** The least of the others than this one, nanoseconds; -1 if it is not known of any, 0 if there is no other. */
    long without(ReadWatch replica) {
        if (replicas == 1) {
            return 0;
        }
        long nanos = replica == fastest ? second : least;
        return nanos == NONE ? -1 : nanos;
    }
}
