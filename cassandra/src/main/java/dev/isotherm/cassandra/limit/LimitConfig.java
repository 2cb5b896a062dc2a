// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.config.ConfigSection;
import org.apache.cassandra.exceptions.ConfigurationException;

/** The section {@code limit} of {@code isotherm.yaml}, checked. Immutable. */
public final class LimitConfig {
    private final boolean enabled;
    private final LimiterChoice counter;
    private final long memoryBytes;
    private final FairShareMode fairShare;

    private LimitConfig(ConfigSection section) {
        enabled = section.flag("enabled", true);
        counter = section.read(
                "counter",
                LimiterChoice.BUCKET,
                "bucket or halving",
                value -> LimiterChoice.parse(String.valueOf(value)));
        fairShare = section.read("fair_share", FairShareMode.OFF, FairShareMode.ALLOWED, FairShareMode::parse);
        memoryBytes = section.bytes("memory", "2MiB", "64KiB", "1GiB");
    }

    /** @throws ConfigurationException at the first wrong key or value; the message names it */
    public static LimitConfig read(ConfigSection section) {
        LimitConfig config = new LimitConfig(section);
        section.refuseUnknownKeys();
        return config;
    }

    /** Whether per-partition limits are enforced when the node starts. */
    public boolean enabled() {
        return enabled;
    }

    LimiterChoice counter() {
        return counter;
    }

    /** Whether partitions are cut to their fair shares when the node starts. */
    FairShareMode fairShare() {
        return fairShare;
    }

    /** The memory in which partitions are counted. */
    long memoryBytes() {
        return memoryBytes;
    }
}
