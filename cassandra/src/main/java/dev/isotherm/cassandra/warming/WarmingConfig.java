// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import dev.isotherm.cassandra.config.ChangeableKeys;
import dev.isotherm.cassandra.config.ConfigSection;
import org.apache.cassandra.exceptions.ConfigurationException;

/** The section {@code warming} of {@code isotherm.yaml}, checked. Immutable. */
public final class WarmingConfig {
    private final boolean enabled;
    private final ChangeableKeys<WarmingSettings> settings;

    private WarmingConfig(ConfigSection section) {
        enabled = section.flag("enabled", true);
        settings = section.changeable(keys -> new WarmingSettings(
                keys.count("concurrent_reads", 8, 1, 64), keys.nanos("at_most", "10m", "1s", "60m")));
    }

    /** @throws ConfigurationException at the first wrong key or value; the message names it */
    public static WarmingConfig read(ConfigSection section) {
        WarmingConfig config = new WarmingConfig(section);
        section.refuseUnknownKeys();
        return config;
    }

    /** Whether cold nodes are warmed with copies of reads when the node starts. */
    public boolean enabled() {
        return enabled;
    }

    WarmingSettings settings() {
        return settings.configured();
    }

    /** The settings, as they change while the node runs. */
    ChangeableKeys<WarmingSettings> changeable() {
        return settings;
    }
}
