// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.rollout;

import java.util.Locale;

/** Whether the next node may restart as far as one node is concerned, with the reason. Immutable. */
public final class Readiness {
    /** A node whose reads cost up to this many times those of its peers is warm. */
    public static final double WARM_TIMES = 2;

    /** The time that a node gets to tell its heat. */
    public static final long SETTLING_SECONDS = 60;

    private static final Readiness DOWN = unsafe("it is down");
    private static final Readiness NO_MEMBER = unsafe("it has not joined the ring, or is leaving it");
    private static final Readiness SCHEMA = unsafe("its schema is not this node's");
    private static final Readiness SETTLING = unsafe("nothing is known of its heat yet");
    private static final Readiness UNKNOWN = new Readiness(true, "nothing is known of its heat; all else is well");

    private final boolean safe;
    private final String reason;

    private Readiness(boolean safe, String reason) {
        this.safe = safe;
        this.reason = reason;
    }

    private static Readiness unsafe(String reason) {
        return new Readiness(false, reason);
    }

    /**
     * Judges a node by what another sees of it. The first of these that is not well is the reason.
     *
     * @param up whether it answers
     * @param member whether it has joined the ring and is not leaving it
     * @param schemaAgreed whether its schema is that of the judging node
     * @param hintBytes the size of the hints that the judging node holds for it
     * @param timesPeers what its reads cost, in costs of its peers' reads; NaN if that is not known
     * @param coldestTable the table in which that is; null if it is not known
     * @param seconds how long the younger of the two nodes has been running
     */
    public static Readiness of(
            boolean up,
            boolean member,
            boolean schemaAgreed,
            long hintBytes,
            double timesPeers,
            String coldestTable,
            long seconds) {
        if (!up) {
            return DOWN;
        }
        if (!member) {
            return NO_MEMBER;
        }
        if (!schemaAgreed) {
            return SCHEMA;
        }
        if (hintBytes > 0) {
            return unsafe("hints of " + hintBytes + " bytes wait for it");
        }
        if (Double.isNaN(timesPeers)) {
            return seconds < SETTLING_SECONDS ? SETTLING : UNKNOWN;
        }
        String cost = String.format(
                Locale.ROOT, "a read of %s costs it %.1f times what it costs its peers", coldestTable, timesPeers);
        return timesPeers <= WARM_TIMES ? new Readiness(true, cost) : unsafe("it is cold: " + cost);
    }

    public boolean isSafe() {
        return safe;
    }

    /** What keeps the next node from its restart; for a safe one, what was judged last. */
    public String reason() {
        return reason;
    }
}
