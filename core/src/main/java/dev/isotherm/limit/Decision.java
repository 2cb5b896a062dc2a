// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** What a limiter says to one operation. */
public enum Decision {
    /** Goes ahead; nobody else needs to know. */
    ADMITTED(true),
    /**
     * Goes ahead, and the partition is busy enough for the other replicas to be told: hand it to the
     * {@link AdmissionLedger}.
     */
    ADMITTED_NEAR_LIMIT(true),
    /** Goes ahead without having been accounted: the block is full. */
    ADMITTED_UNCOUNTED(true),
    /** Must not go ahead. */
    REJECTED(false);

    private final boolean admitted;

    Decision(boolean admitted) {
        this.admitted = admitted;
    }

    /** Whether the operation goes ahead. */
    public boolean isAdmitted() {
        return admitted;
    }
}
