// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.Locale;

/** Who chooses the replicas of reads. */
enum Policy {
    ISOTHERM,
    /** Isotherm with one placement, where the nodes would choose it. */
    LOCAL,
    AFFINITY,
    UNIFORM,
    STATIC,
    SHUNNING;

    /** Whether reads are ordered by heat. */
    boolean isIsotherm() {
        return this == ISOTHERM || this == LOCAL || this == AFFINITY;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
