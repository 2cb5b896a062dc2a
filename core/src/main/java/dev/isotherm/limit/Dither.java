// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.SplitMix64;

/**
 * Fractions in [0, 1) that are added before a part of a unit is cut off, so that parts are counted right in the mean.
 */
final class Dither {
    private Dither() {}

    /** Of the 32 random bits by which the operation is decided, but unrelated to the decision. */
    static double of(int random) {
        return ((random * SplitMix64.GOLDEN_GAMMA) >>> 32) * 0x1p-32;
    }

    /** Where no random number is at hand: of a partition and an instant, which never come together twice. */
    static double of(long partition, long nowNanos) {
        return (SplitMix64.mix(partition + nowNanos * SplitMix64.GOLDEN_GAMMA) >>> 11) * 0x1p-53;
    }
}
