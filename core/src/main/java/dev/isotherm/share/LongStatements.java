// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/**
 * How many operations follow one another for one decision, where these are many: an aggregate over a large partition is
 * decided about once, and reads page after page. One thread uses it.
 */
final class LongStatements {
    /*
     * The operations that were begun of late to those that were admitted. A statement's operations begin for as long as
     * it lasts, its decision is made at its beginning: over a time that is long to that of a statement both are the
     * same ones'. The quotient must not explode where hardly any is admitted, as the part that is admitted is made by
     * it: a few that have begun nothing count beside those that were admitted, and what begins while none was admitted
     * does not count. It is too small then, and what is under way tells the rest.
     */

    /** Age, in those of the kept part, at which an operation counts 1/e. */
    private static final double AGES = 20;
    /** Operations that count as admitted beside those that were. */
    private static final double LEAST = 4;
    /** Admitted operations below which nothing that begins is theirs. */
    private static final double NONE = 1;

    private static final double MOST = 1024;

    private double admitted;
    private double begun;

    /** Adds an interval's operations; older ones keep this part of their weight, to the power of 1/20. */
    void add(double newlyAdmitted, double newlyBegun, double kept) {
        double keep = Math.pow(kept, 1 / AGES);
        admitted = admitted * keep + newlyAdmitted;
        begun = admitted < NONE ? 0 : begun * keep + newlyBegun;
    }

    void forget() {
        admitted = 0;
        begun = 0;
    }

    /** The operations of a statement, at most 1024; fewer than there are where little is known. */
    double operations() {
        return Math.min(MOST, begun / (admitted + LEAST));
    }

    /** Whether so many were admitted that few operations of each are no matter of chance. */
    boolean isKnown() {
        return admitted > LEAST;
    }
}
