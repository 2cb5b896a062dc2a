// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.config.ChangeableKeys;
import dev.isotherm.cassandra.config.ConfigSection;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Placement;
import org.apache.cassandra.exceptions.ConfigurationException;

/** The section {@code heat} of {@code isotherm.yaml}, checked. Immutable. */
public final class HeatConfig {
    private final boolean enabled;
    private final HeatSourceChoice source;
    private final ChangeableKeys<HeatSettings> settings;

    private HeatConfig(ConfigSection section) {
        enabled = section.flag("enabled", true);
        source = section.read(
                "source",
                HeatSourceChoice.AUTO,
                "auto, cache, read_time or disk",
                value -> HeatSourceChoice.parse(String.valueOf(value)));
        settings = section.changeable(HeatConfig::settings);
    }

    /** @throws ConfigurationException at the first wrong key or value; the message names it */
    public static HeatConfig read(ConfigSection section) {
        HeatConfig config = new HeatConfig(section);
        section.refuseUnknownKeys();
        return config;
    }

    private static HeatSettings settings(ConfigSection heat) {
        PlacementChoice placement = heat.read(
                "placement",
                PlacementChoice.AUTO,
                PlacementChoice.ALLOWED,
                value -> PlacementChoice.parse(String.valueOf(value)));
        return new HeatSettings(
                placement,
                balance(heat, placement),
                heat.nanos("smoothing", "3s", "100ms", "10m"),
                heat.nanos("stale_after", "90s", "35s", "60m"),
                heat.bytes("plan_memory", "32MiB", "1MiB", "1GiB"));
    }

    private static BalanceSettings balance(ConfigSection heat, PlacementChoice placement) {
        BalanceSettings defaults = BalanceSettings.defaults();
        long warmNanos = heat.nanos("warm_read", "500us", "10us", "1s");
        long coldNanos = heat.nanos("cold_read", "10ms", "20us", "10s");
        if (warmNanos >= coldNanos) {
            throw heat.mistake(
                    "warm_read", warmNanos / 1000 + "us", "less than heat.cold_read, " + coldNanos / 1000 + "us");
        }
        return new BalanceSettings(
                placement.placement() == null ? Placement.LOCAL : placement.placement(),
                heat.fraction("miss_floor", defaults.missFloor(), 0.001, 1),
                heat.fraction("wandering", defaults.wanderingFraction(), 0, 1),
                warmNanos,
                coldNanos);
    }

    /** Whether reads are balanced when the node starts. */
    public boolean enabled() {
        return enabled;
    }

    HeatSourceChoice source() {
        return source;
    }

    HeatSettings settings() {
        return settings.configured();
    }

    /** The settings, as they change while the node runs. */
    ChangeableKeys<HeatSettings> changeable() {
        return settings;
    }
}
