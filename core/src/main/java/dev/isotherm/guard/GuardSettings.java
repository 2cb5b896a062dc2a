// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import dev.isotherm.common.Allowed;

/** The operator's settings of the guard. Immutable and valid. */
public final class GuardSettings {
    private static final long MILLISECOND = 1_000_000;
    private static final GuardSettings DEFAULTS =
            new GuardSettings(30 * MILLISECOND, 1_000 * MILLISECOND, 250 * MILLISECOND, 4_000 * MILLISECOND);

    private final long leastPatienceNanos;
    private final long mostPatienceNanos;
    private final long firstRetryNanos;
    private final long mostRetryNanos;

    /**
     * @param leastPatienceNanos no read is late before this, 1 or above
     * @param mostPatienceNanos every read is late after this, leastPatienceNanos or above; also the patience with a
     *     replica of which little is known
     * @param firstRetryNanos how long a replica is avoided before it is tried, 1 or above; each
     *     trial that fails makes it four times as long
     * @param mostRetryNanos the longest time between two trials, firstRetryNanos or above
     * @throws IllegalArgumentException naming the setting, its value and what is allowed
     */
    public GuardSettings(long leastPatienceNanos, long mostPatienceNanos, long firstRetryNanos, long mostRetryNanos) {
        if (leastPatienceNanos < 1) {
            throw Allowed.refusal("leastPatienceNanos", leastPatienceNanos, "1 or above");
        }
        if (mostPatienceNanos < leastPatienceNanos) {
            throw Allowed.refusal(
                    "mostPatienceNanos", mostPatienceNanos, leastPatienceNanos + " (leastPatienceNanos) or above");
        }
        if (firstRetryNanos < 1) {
            throw Allowed.refusal("firstRetryNanos", firstRetryNanos, "1 or above");
        }
        if (mostRetryNanos < firstRetryNanos) {
            throw Allowed.refusal("mostRetryNanos", mostRetryNanos, firstRetryNanos + " (firstRetryNanos) or above");
        }
        this.leastPatienceNanos = leastPatienceNanos;
        this.mostPatienceNanos = mostPatienceNanos;
        this.firstRetryNanos = firstRetryNanos;
        this.mostRetryNanos = mostRetryNanos;
    }

    /** Patience of 30 ms to 1 s, trials after 0.25, 1 and 4 s, and every 4 s from then on. */
    public static GuardSettings defaults() {
        return DEFAULTS;
    }

    public long leastPatienceNanos() {
        return leastPatienceNanos;
    }

    public long mostPatienceNanos() {
        return mostPatienceNanos;
    }

    public long firstRetryNanos() {
        return firstRetryNanos;
    }

    public long mostRetryNanos() {
        return mostRetryNanos;
    }

    /** The patience with a replica whose usual duration is known: {@code times} it, within the bounds. */
    long patience(double times, long usualNanos) {
        return usualNanos < 0
                ? mostPatienceNanos
                : (long) Math.max(leastPatienceNanos, Math.min(mostPatienceNanos, times * usualNanos));
    }

    @Override
    public String toString() {
        return "leastPatienceNanos " + leastPatienceNanos + ", mostPatienceNanos " + mostPatienceNanos
                + ", firstRetryNanos " + firstRetryNanos + ", mostRetryNanos " + mostRetryNanos;
    }
}
