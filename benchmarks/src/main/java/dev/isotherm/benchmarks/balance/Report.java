// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.Heat;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;

/** What a node tells the others. Immutable. */
final class Report {
    /** How often the node's process has started. */
    final int generation;

    final long number;
    /** Null in the first report after a start. */
    final Heat heat;

    final RequestRate rate;

    /** Null for none. */
    final Placement vote;

    /** {@link dev.isotherm.heat.DiskPlaces#servedAtOnce}. */
    final int servedAtOnce;

    Report(int generation, long number, Heat heat, RequestRate rate, Placement vote, int servedAtOnce) {
        this.generation = generation;
        this.number = number;
        this.heat = heat;
        this.rate = rate;
        this.vote = vote;
        this.servedAtOnce = servedAtOnce;
    }

    boolean saysAsMuchAs(Heat otherHeat, RequestRate otherRate, Placement otherVote, int otherServedAtOnce) {
        return heat == otherHeat && rate == otherRate && vote == otherVote && servedAtOnce == otherServedAtOnce;
    }

    boolean isNewerThan(Report other) {
        return other == null
                || generation > other.generation
                || generation == other.generation && number > other.number;
    }
}
