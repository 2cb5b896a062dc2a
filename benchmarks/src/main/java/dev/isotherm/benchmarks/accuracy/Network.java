// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import java.util.SplittableRandom;

/**
 * The delay of messages between nodes: 0.35 to 0.65 ms one way, each independently, so that messages can overtake each
 * other.
 */
final class Network {
    private static final long LEAST_NANOS = 350_000;
    private static final int JITTER_NANOS = 300_000;

    private final SplittableRandom random;

    Network(SplittableRandom random) {
        this.random = random;
    }

    long delayNanos() {
        return LEAST_NANOS + random.nextInt(JITTER_NANOS);
    }
}
