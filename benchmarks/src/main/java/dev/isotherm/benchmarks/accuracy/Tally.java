// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

/** The counts of a simulation, for each second since the first operation. */
final class Tally {
    private final long[] offered;
    private final long[] admitted;
    private long decidedByReplicas;
    private long disagreements;
    private long appliedSomewhere;

    Tally(int seconds) {
        offered = new long[seconds];
        admitted = new long[seconds];
    }

    /** Counts one operation in the second of its arrival. */
    void count(int second, boolean isAdmitted) {
        offered[second]++;
        if (isAdmitted) {
            admitted[second]++;
        }
    }

    /** Counts one decision of several replicas, by the numbers contacted and admitting. */
    void countReplicas(int contacted, int admitting) {
        decidedByReplicas++;
        if (admitting > 0) {
            appliedSomewhere++;
        }
        if (admitting > 0 && admitting < contacted) {
            disagreements++;
        }
    }

    int seconds() {
        return offered.length;
    }

    long offered(int fromSecond, int toSecond) {
        return sum(offered, fromSecond, toSecond);
    }

    long admitted(int fromSecond, int toSecond) {
        return sum(admitted, fromSecond, toSecond);
    }

    /** Operations that were decided by more than one replica. */
    long decidedByReplicas() {
        return decidedByReplicas;
    }

    /** Operations of these that some replicas admitted and some rejected. */
    long disagreements() {
        return disagreements;
    }

    /** Operations of these that at least one replica admitted. */
    long appliedSomewhere() {
        return appliedSomewhere;
    }

    private static long sum(long[] counts, int from, int to) {
        long sum = 0;
        for (int second = from; second < to; second++) {
            sum += counts[second];
        }
        return sum;
    }
}
