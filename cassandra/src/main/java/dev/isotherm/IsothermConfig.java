// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.config.ConfigSection;
import dev.isotherm.cassandra.guard.GuardConfig;
import dev.isotherm.cassandra.heat.HeatConfig;
import dev.isotherm.cassandra.limit.LimitConfig;
import dev.isotherm.cassandra.queue.QueueConfig;
import dev.isotherm.cassandra.warming.WarmingConfig;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The checked contents of {@code isotherm.yaml}: the wrapped snitch and query handler, and a section for each feature.
 * Immutable.
 */
final class IsothermConfig {
    private final String snitch;
    private final boolean dynamicSnitch;
    private final String queryHandler;
    private final String keptSettings;
    private final GuardConfig guard;
    private final HeatConfig heat;
    private final LimitConfig limit;
    private final QueueConfig queue;
    private final WarmingConfig warming;

    private IsothermConfig(ConfigSection file) {
        snitch = file.text("snitch", "GossipingPropertyFileSnitch");
        dynamicSnitch = file.flag("dynamic_snitch", true);
        queryHandler = file.text("query_handler", null);
        keptSettings = file.absolutePath("kept_settings", null);
        guard = GuardConfig.read(file.section("guard"));
        heat = HeatConfig.read(file.section("heat"));
        limit = LimitConfig.read(file.section("limit"));
        queue = QueueConfig.read(file.section("queue"));
        warming = WarmingConfig.read(file.section("warming"));
    }

    /** @throws ConfigurationException at the first wrong key or value; the message names it */
    static IsothermConfig read(ConfigSection file) {
        IsothermConfig config = new IsothermConfig(file);
        file.refuseUnknownKeys();
        return config;
    }

    /** The operator's own snitch: a class name, or the bare name of one of Cassandra's. */
    String snitch() {
        return snitch;
    }

    /** Whether Cassandra's dynamic snitch orders what the plugin does not. */
    boolean dynamicSnitch() {
        return dynamicSnitch;
    }

    /** The operator's own query handler, or null for Cassandra's. */
    String queryHandler() {
        return queryHandler;
    }

    /** The path of the file with the settings that outlive the process, or null if none do. */
    String keptSettings() {
        return keptSettings;
    }

    GuardConfig guard() {
        return guard;
    }

    HeatConfig heat() {
        return heat;
    }

    LimitConfig limit() {
        return limit;
    }

    QueueConfig queue() {
        return queue;
    }

    WarmingConfig warming() {
        return warming;
    }

    /** Whether a feature is switched on at start that sees statements: warming has nothing to do without heat. */
    boolean needsStatements() {
        return guard.enabled() || heat.enabled() || limit.enabled() || queue.enabled();
    }
}
