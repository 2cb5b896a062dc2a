// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.config.ChangeableKeys;
import dev.isotherm.cassandra.config.ConfigSection;
import dev.isotherm.guard.GuardSettings;
import org.apache.cassandra.exceptions.ConfigurationException;

/** The section {@code guard} of {@code isotherm.yaml}, checked. Immutable. */
public final class GuardConfig {
    private final boolean enabled;
    private final ChangeableKeys<GuardSettings> settings;

    private GuardConfig(ConfigSection section) {
        enabled = section.flag("enabled", true);
        settings = section.changeable(GuardConfig::settings);
    }

    private static GuardSettings settings(ConfigSection section) {
        long least = section.nanos("least_patience", "30ms", "1ms", "10s");
        long most = section.nanos("most_patience", "1s", "1ms", "10s");
        if (most < least) {
            throw section.mistake(
                    "most_patience", most / 1000 + "us", "guard.least_patience, " + least / 1000 + "us, or more");
        }
        long first = section.nanos("first_retry", "250ms", "100ms", "1m");
        long mostRetry = section.nanos("most_retry", "4s", "100ms", "5m");
        if (mostRetry < first) {
            throw section.mistake(
                    "most_retry", mostRetry / 1000 + "us", "guard.first_retry, " + first / 1000 + "us, or more");
        }
        return new GuardSettings(least, most, first, mostRetry);
    }

    /** @throws ConfigurationException at the first wrong key or value; the message names it */
    public static GuardConfig read(ConfigSection section) {
        GuardConfig config = new GuardConfig(section);
        section.refuseUnknownKeys();
        return config;
    }

    /** Whether reads are guarded when the node starts. */
    public boolean enabled() {
        return enabled;
    }

    GuardSettings settings() {
        return settings.configured();
    }

    /** The settings, as they change while the node runs. */
    ChangeableKeys<GuardSettings> changeable() {
        return settings;
    }
}
