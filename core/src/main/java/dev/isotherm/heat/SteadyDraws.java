// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.SplitMix64;

/**
 * The points in [0, 1) by which reads of a partition are drawn that belong together, as the pages of one scan: the same
 * for about a minute, and unrelated to those of other partitions, minutes and coordinators. For any thread; nothing is
 * allocated.
 */
public final class SteadyDraws {
    /** 2^36 ns are 69 s. */
    private static final int STEADY_BITS = 36;

    private final long seed;

    /** @param seed another one on each coordinator */
    public SteadyDraws(long seed) {
        this.seed = SplitMix64.mix(seed);
    }

    /** The point that decides which replicas are read. */
    public double replicas(long tokenBits, long nowNanos) {
        return SplitMix64.pointOf(mixed(tokenBits, nowNanos));
    }

    /** The point that decides their order; unrelated to the other one. */
    public double order(long tokenBits, long nowNanos) {
        return SplitMix64.pointOf(~mixed(tokenBits, nowNanos));
    }

    private long mixed(long tokenBits, long nowNanos) {
        return SplitMix64.mix(tokenBits ^ SplitMix64.mix(seed + (nowNanos >> STEADY_BITS)));
    }
}
