// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.Heat;
import dev.isotherm.heat.RequestRate;

/** What a node tells the others. Immutable. */
final class Report {
    /** How often the node's process has started. */
    final int generation;

    final long number;
    /** Null in the first report after a start. */
    final Heat heat;

    final RequestRate rate;

    Report(int generation, long number, Heat heat, RequestRate rate) {
        this.generation = generation;
        this.number = number;
        this.heat = heat;
        this.rate = rate;
    }

    boolean saysAsMuchAs(Heat otherHeat, RequestRate otherRate) {
        return heat == otherHeat && rate == otherRate;
    }

    boolean isNewerThan(Report other) {
        return other == null
                || generation > other.generation
                || generation == other.generation && number > other.number;
    }
}
