// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** The operations for which one stands that was admitted: the inverse of the part that was. */
public final class Weight {
    private Weight() {}

    /**
     * A whole number, at random one of the two beside the inverse, so that on average it is the inverse: rounded, the
     * operations of a partition of which three in four are admitted would stand for no others.
     *
     * @param part above 0, at most 1
     * @param random in [0, 1)
     * @return 1 to {@link FairShare#MOST_WEIGHT}
     */
    public static int of(double part, double random) {
        return (int) Math.max(1, Math.min(FairShare.MOST_WEIGHT, Math.floor(1 / part + random)));
    }
}
