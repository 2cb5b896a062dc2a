// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** Spreads partition tokens evenly over [0, 1), also those of one replica group's narrow ranges. */
public final class TokenMixer {
    private TokenMixer() {}

    /**
     * The point of a partition: the same on every node, and unrelated to those of nearby tokens.
     */
    public static double pointOf(long token) {
        return pointOf(token, 1);
    }

    /** As {@link #pointOf(long)}, on [0, length); length is a power of two, so that nothing is rounded. */
    static double pointOf(long token, double length) {
        // The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014; constants by Stafford): two rounds
        // of shift and odd multiplier carry every bit of the token to the upper 53 bits.
        long mixed = token + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return ((mixed ^ (mixed >>> 31)) >>> 11) * (length * 0x1p-53);
    }
}
