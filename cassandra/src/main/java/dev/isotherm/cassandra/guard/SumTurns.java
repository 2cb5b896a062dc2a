// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

/** Tells at which observations sums are taken: at one of so many, or as soon after it as can be. */
final class SumTurns {
    private int observationsPerSum = 1;
    private int sinceTaken;
    private boolean isDue = true;

    /** Sets the observations to one at which sums are due, 1 or above. */
    void take(int observations) {
        observationsPerSum = observations;
    }

    /**
     * Whether sums are due at this observation: call it once at each.
     *
     * @param atOnce whether they are in any case
     */
    boolean isDue(boolean atOnce) {
        isDue |= atOnce || ++sinceTaken >= observationsPerSum;
        return isDue;
    }

    /** The sums were taken at this observation. */
    void taken() {
        isDue = false;
        sinceTaken = 0;
    }
}
