// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** Which part of a replica's reads is late while it is used: some are where a few reads take long. For one thread. */
/*
 * Late reads come one by one then, and some stretches have more of them by chance. Where one in 250 of 400 reads a
 * second takes two seconds, a stretch of half a second has four or more about every minute: one in fifty.
 * What was seen last is not learned yet: a fault that begins is no usual time.
 */
final class UsualLateness {
    /** Standard deviations (of a Poisson distribution) beyond which late reads come together about once in hours. */
    private static final int DEVIATIONS = 4;
    /** Largest part of the reads that is late by chance. */
    private static final double MOST = 0.02;

    private static final int LOOKS_OF_BLOCK = 500;
    /** Factor by which older reads count less after each block of five seconds: a minute's time constant. */
    private static final double KEPT_A_BLOCK = Math.exp(-5 / 60.0);

    private double late;
    private double reads;
    private long heldLate;
    private long heldReads;
    private long blockLate;
    private long blockReads;
    private int blockLooks;

    /** Takes in a look at a replica that is used: late reads of the last stretch, and all of them. */
    void learn(int lateReads, int ofReads) {
        blockLate += lateReads;
        blockReads += ofReads;
        if (++blockLooks == LOOKS_OF_BLOCK) {
            late = KEPT_A_BLOCK * late + heldLate;
            reads = KEPT_A_BLOCK * reads + heldReads;
            heldLate = blockLate;
            heldReads = blockReads;
            blockLate = 0;
            blockReads = 0;
            blockLooks = 0;
        }
    }

    /** The most of so many reads that are late by chance where one or two of any number are. */
    double mostByChance(int ofReads) {
        double usual = reads == 0 ? 0 : ofReads * Math.min(MOST, late / reads);
        return Lateness.LEAST_LATE - 1 + usual + DEVIATIONS * Math.sqrt(usual);
    }
}
