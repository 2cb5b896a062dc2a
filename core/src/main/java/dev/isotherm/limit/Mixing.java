// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014; constants by Stafford): a bijection of 64 bits that spreads each of them over all. */
final class Mixing {
    static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Mixing() {}

    static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** A fraction in [0, 1) of 32 random bits, other than the plain one: for a second, unrelated use of the same bits. */
    static double otherFraction(int random) {
        return ((random * GOLDEN) >>> 32) * 0x1p-32;
    }

    /** A fraction in [0, 1) where no random number is at hand, of what is never the same twice. */
    static double fractionOf(long partition, long nowNanos) {
        return (mix(partition + nowNanos * GOLDEN) >>> 11) * 0x1p-53;
    }
}
