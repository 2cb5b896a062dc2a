// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.SplitMix64;

/** Fractions in [0, 1) that are added before a number of units is rounded down, so that the mean is exact. */
final class Dither {
    private Dither() {}

    /**
     * A fraction derived from the operation's 32 random bits, but unrelated to the decision, which uses the same bits.
     */
    static double of(int random) {
        return ((random * SplitMix64.GOLDEN_GAMMA) >>> 32) * 0x1p-32;
    }

    /**
     * A fraction for calls without a random number, derived from the partition and the instant: no pair occurs twice.
     */
    static double of(long partition, long nowNanos) {
        return (SplitMix64.mix(partition + nowNanos * SplitMix64.GOLDEN_GAMMA) >>> 11) * 0x1p-53;
    }
}
