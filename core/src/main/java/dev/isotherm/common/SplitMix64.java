// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/**
 * SplitMix64: a bijection of 64 bits that spreads each of them over all, and the fractions made of it.
 *
 * <p>Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the finaliser's constants
 * are Stafford's.
 */
public final class SplitMix64 {
    /** The odd number nearest to 2^64 over the golden ratio: what the generator's state grows by. */
    public static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private SplitMix64() {}

    /** The finaliser: two rounds of shift and odd multiplier. */
    public static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /**
     * The point of a partition in [0, 1): the same on every node, and unrelated to those of nearby tokens, also of
     * tokens from one replica group's narrow ranges.
     */
    public static double pointOf(long token) {
        return pointOf(token, 1);
    }

    /** As {@link #pointOf(long)}, on [0, length); length is a power of two, so that nothing is rounded. */
    public static double pointOf(long token, double length) {
        return (mix(token + GOLDEN_GAMMA) >>> 11) * (length * 0x1p-53);
    }
}
