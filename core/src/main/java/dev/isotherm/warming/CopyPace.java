// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

/**
 * What part of the reads a cold node asks its coordinators to copy: as many as it serves, and a few more, so that the
 * next one waits already. Used by one thread.
 *
 * <p>While nothing is dropped the part doubles; where something is, it follows what was served. So the node needs to
 * know neither how many coordinators there are nor how many reads they have.
 */
public final class CopyPace {
    /** The part at first. */
    public static final double FIRST = 0.1;
    /** The least part: a coordinator of 1,000 reads a second still sends one. */
    public static final double LEAST = 0.001;
    /** Copies asked for beyond those that are served, as a factor. */
    private static final double SPARE = 1.1;

    private double fraction = FIRST;

    /**
     * Brings the part up to date, about once in a second.
     *
     * @param arrived copies that arrived since the last call, 0 or above
     * @param dropped how many of them were dropped, at most as many
     * @return the part of the reads to copy, {@link #LEAST} to 1
     */
    public double settle(long arrived, long dropped) {
        if (dropped <= 0 || arrived <= 0) {
            fraction = Math.min(1, 2 * fraction);
        } else {
            double served = (double) Math.max(0, arrived - dropped) / arrived;
            // No less than a half: one pause of the node does not undo what was learned.
            fraction = Math.min(1, Math.max(LEAST, fraction * Math.max(0.5, SPARE * served)));
        }
        return fraction;
    }

    /**
     * The same where copies arrive that cannot be read, as of another version. From whom they come is not told: while
     * others' can be read, these alone set the pace; where none can, fewer are asked for.
     *
     * @param arrived those that could be read, 0 or above
     * @param refused those that could not, 0 or above
     */
    public double settle(long arrived, long dropped, long refused) {
        return arrived <= 0 && refused > 0 ? settle(refused, refused) : settle(arrived, dropped);
    }

    /** Begins again with {@link #FIRST}. */
    public void reset() {
        fraction = FIRST;
    }
}
