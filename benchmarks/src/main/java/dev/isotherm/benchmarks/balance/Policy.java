// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.Locale;

/** Who chooses the replicas of reads. */
enum Policy {
    ISOTHERM,
    UNIFORM,
    STATIC,
    SHUNNING;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
