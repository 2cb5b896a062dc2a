// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/** The least of the values of about the last so many seconds, in fixed memory. Used by one thread. */
final class RecentLeast {
    /** A value is kept for the span and at most one part of it longer. */
    private static final int PARTS = 8;

    private final long partNanos;
    private final double[] leastOfPart = new double[PARTS + 1];
    private long newest;

    /** @param spanNanos for how long a value counts at least, {@value #PARTS} or above */
    RecentLeast(long spanNanos, long nowNanos) {
        partNanos = spanNanos / PARTS;
        newest = Math.floorDiv(nowNanos, partNanos);
        Arrays.fill(leastOfPart, Double.POSITIVE_INFINITY);
    }

    /**
     * Adds a value.
     *
     * @return the least of those that count
     */
    double add(double value, long nowNanos) {
        long part = Math.max(newest, Math.floorDiv(nowNanos, partNanos));
        // Those that nobody has added to since are as old as the one that they are in place of.
        for (long passed = Math.min(part - newest, leastOfPart.length); passed > 0; passed--) {
            leastOfPart[placeOf(part - passed + 1)] = Double.POSITIVE_INFINITY;
        }
        newest = part;
        int place = placeOf(part);
        leastOfPart[place] = Math.min(leastOfPart[place], value);
        double least = Double.POSITIVE_INFINITY;
        for (double each : leastOfPart) {
            least = Math.min(least, each);
        }
        return least;
    }

    private int placeOf(long part) {
        return Math.floorMod(part, leastOfPart.length);
    }
}
