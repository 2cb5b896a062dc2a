// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** How much longer reads of this node took as its process stood still while they were under way. For one thread. */
final class PausedReads {
    /** The time that pauses may have added to reads that have not ended. */
    private double nanos;
    /** The observations in which such reads may still end. */
    private int looks;

    /** Notes that the process did not run for so long, 0 or above, while at most so many reads were under way. */
    void add(long lostNanos, int tasks) {
        if (lostNanos > 0) {
            nanos += (double) lostNanos * tasks;
            looks = ReadStageLooks.LOOKS;
        }
    }

    /**
     * The time that the reads of an observation took, less what pauses may have added to it: at most the pause for each
     * read that it met, and down to what reads usually take.
     */
    long without(long nanosOfReads, long reads, long usualNanos) {
        if (looks == 0) {
            return nanosOfReads;
        }
        long added = (long) Math.min(nanos, Math.max(0, nanosOfReads - reads * usualNanos));
        looks--;
        nanos = looks == 0 ? 0 : nanos - added;
        return nanosOfReads - added;
    }

    /** No read is under way that met a pause. */
    void clear() {
        nanos = 0;
        looks = 0;
    }
}
