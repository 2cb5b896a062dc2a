// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.cassandra.config.ChangeableKeys;
import dev.isotherm.cassandra.config.ConfigSection;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.QueueSettings;
import org.apache.cassandra.exceptions.ConfigurationException;

/** The section {@code queue} of {@code isotherm.yaml}, checked. Immutable. */
public final class QueueConfig {
    private final boolean enabled;
    private final ChangeableKeys<QueueSettings> settings;

    private QueueConfig(ConfigSection section) {
        enabled = section.flag("enabled", true);
        settings = section.changeable(QueueConfig::settings);
    }

    private static QueueSettings settings(ConfigSection section) {
        QueueSettings defaults = QueueSettings.defaults();
        return new QueueSettings(
                section.count("soft_limit", defaults.softLimit(), 1, QueueDepth.MAX),
                section.count("ask_every", defaults.askEvery(), 1, QueueDepth.MAX),
                section.nanos("silence", "1s", "1ms", "1m"),
                section.nanos("timeout", "100ms", "1ms", "1s"));
    }

    /** @throws ConfigurationException at the first wrong key or value; the message names it */
    public static QueueConfig read(ConfigSection section) {
        QueueConfig config = new QueueConfig(section);
        section.refuseUnknownKeys();
        return config;
    }

    /** Whether leaders of counter updates are chosen by their queues when the node starts. */
    public boolean enabled() {
        return enabled;
    }

    QueueSettings settings() {
        return settings.configured();
    }

    /** The settings, as they change while the node runs. */
    ChangeableKeys<QueueSettings> changeable() {
        return settings;
    }
}
