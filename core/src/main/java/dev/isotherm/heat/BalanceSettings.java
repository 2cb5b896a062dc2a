// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;

/** The operator's settings for the balancing of reads. Immutable and valid. */
public final class BalanceSettings {
    private static final BalanceSettings DEFAULTS =
            new BalanceSettings(Placement.LOCAL, 0.05, 0.02, 500_000, 10_000_000);

    private final Placement placement;
    private final double missFloor;
    private final double wanderingFraction;
    private final long warmReadNanos;
    private final long coldReadNanos;

    /**
     * @param placement the source of a draw's random number
     * @param missFloor the least miss ratio used, above 0, at most 1; it also decides how many reads a cold node gets,
     *     and so how fast it warms up, when the other replicas have no misses
     * @param wanderingFraction the fraction of reads drawn at random under {@link Placement#AFFINITY}, 0 to 1
     * @param warmReadNanos a local read that takes no longer than this counts as warm, 1 or above
     * @param coldReadNanos the assumed read time of a restarted node, warmReadNanos or above
     * @throws IllegalArgumentException naming the setting, its value and what is allowed
     */
    public BalanceSettings(
            Placement placement, double missFloor, double wanderingFraction, long warmReadNanos, long coldReadNanos) {
        if (placement == null) {
            throw Allowed.refusal("placement", null, "local or affinity");
        }
        Allowed.positiveRatio("missFloor", missFloor);
        Allowed.ratio("wanderingFraction", wanderingFraction);
        if (warmReadNanos < 1) {
            throw Allowed.refusal("warmReadNanos", warmReadNanos, "1 or above");
        }
        if (coldReadNanos < warmReadNanos) {
            throw Allowed.refusal("coldReadNanos", coldReadNanos, warmReadNanos + " (warmReadNanos) or above");
        }
        this.placement = placement;
        this.missFloor = missFloor;
        this.wanderingFraction = wanderingFraction;
        this.warmReadNanos = warmReadNanos;
        this.coldReadNanos = coldReadNanos;
    }

    /** Placement local, miss floor 0.05, wandering 0.02, warm read 500 microseconds, cold read 10 ms. */
    public static BalanceSettings defaults() {
        return DEFAULTS;
    }

    public BalanceSettings withPlacement(Placement p) {
        return p == placement
                ? this
                : new BalanceSettings(p, missFloor, wanderingFraction, warmReadNanos, coldReadNanos);
    }

    public Placement placement() {
        return placement;
    }

    public double missFloor() {
        return missFloor;
    }

    public double wanderingFraction() {
        return wanderingFraction;
    }

    public long warmReadNanos() {
        return warmReadNanos;
    }

    public long coldReadNanos() {
        return coldReadNanos;
    }

    @Override
    public String toString() {
        return "placement " + placement + ", missFloor " + missFloor + ", wanderingFraction " + wanderingFraction
                + ", warmReadNanos " + warmReadNanos + ", coldReadNanos " + coldReadNanos;
    }
}
