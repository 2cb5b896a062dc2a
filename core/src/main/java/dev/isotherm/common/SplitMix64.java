// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/**
 * SplitMix64: a bijection on 64-bit numbers in which each input bit affects all output bits, and the points in [0, 1)
 * derived from it.
 *
 * <p>Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the finaliser's constants
 * are Stafford's.
 */
public final class SplitMix64 {
    /** The odd number nearest to 2^64 over the golden ratio: the increment of the generator's state. */
    public static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private SplitMix64() {}

    /** The finaliser: two rounds of shift and odd multiplier. */
    public static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /**
     * The point of a partition in [0, 1). The point is the same on every node and unrelated to the points of nearby
     * tokens, even of tokens from the narrow ranges of one replica group.
     */
    public static double pointOf(long token) {
        return pointOf(token, 1);
    }

    /** As {@link #pointOf(long)}, on [0, length); length is a power of two, so that nothing is rounded. */
    public static double pointOf(long token, double length) {
        return (mix(token + GOLDEN_GAMMA) >>> 11) * (length * 0x1p-53);
    }
}
