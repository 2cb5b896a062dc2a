// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** A limiter's decision about one operation. */
public enum Decision {
    /** Admitted; the other replicas need no report of it. */
    ADMITTED(true),
    /**
     * Admitted on a busy partition: the caller hands the operation to the {@link AdmissionLedger}, for a report to the
     * other replicas.
     */
    ADMITTED_NEAR_LIMIT(true),
    /** Admitted but not accounted: the block of memory is full. */
    ADMITTED_UNCOUNTED(true),
    /** Rejected: the operation must not be executed. */
    REJECTED(false);

    private final boolean admitted;

    Decision(boolean admitted) {
        this.admitted = admitted;
    }

    /** Whether the operation may be executed. */
    public boolean isAdmitted() {
        return admitted;
    }
}
