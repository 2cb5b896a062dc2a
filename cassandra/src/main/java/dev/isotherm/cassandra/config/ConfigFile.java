// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import dev.isotherm.cassandra.limit.LimiterChoice;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Placement;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.QueueSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Finds and reads {@code isotherm.yaml}. */
public final class ConfigFile {
    /** System property with the file's path; without it the file lies beside cassandra.yaml, on the class path. */
    public static final String LOCATION_PROPERTY = "isotherm.config";

    private static final String NAME = "isotherm.yaml";

    private ConfigFile() {}

    /**
     * The checked configuration.
     *
     * @throws ConfigurationException when the file is missing, is no YAML, or has a wrong key or value; the
     *     message names it
     */
    public static IsothermConfig load() {
        try (InputStream stream = open()) {
            return parse(stream);
        } catch (IOException e) {
            throw new ConfigurationException("isotherm.yaml cannot be read: " + e.getMessage(), e);
        }
    }

    private static InputStream open() throws IOException {
        String location = System.getProperty(LOCATION_PROPERTY);
        if (location != null) {
            Path path = Paths.get(location.startsWith("file:") ? location.substring("file:".length()) : location);
            if (!Files.isReadable(path)) {
                throw new ConfigurationException(
                        "-D" + LOCATION_PROPERTY + "=" + location
                                + ": no such readable file; allowed: the path of isotherm.yaml",
                        false);
            }
            return Files.newInputStream(path);
        }
        InputStream stream = ConfigFile.class.getClassLoader().getResourceAsStream(NAME);
        if (stream == null) {
            throw new ConfigurationException(
                    "isotherm.yaml is missing: put it beside cassandra.yaml, or name it with -D" + LOCATION_PROPERTY
                            + "=<path>",
                    false);
        }
        return stream;
    }

    static IsothermConfig parse(InputStream stream) {
        Object document;
        try {
            document = new Yaml(new SafeConstructor(new LoaderOptions())).load(stream);
        } catch (YAMLException e) {
            throw new ConfigurationException("isotherm.yaml is not valid YAML: " + e.getMessage(), e);
        }
        ConfigSection file = new ConfigSection("", document);
        String snitch = file.text("snitch", "GossipingPropertyFileSnitch");
        String queryHandler = file.text("query_handler", null);
        ConfigSection heat = file.section("heat");
        ConfigSection limit = file.section("limit");
        ConfigSection queue = file.section("queue");
        IsothermConfig config = new IsothermConfig(
                snitch,
                queryHandler,
                heat.flag("enabled", true),
                heat.read(
                        "source",
                        HeatSourceChoice.AUTO,
                        "auto, cache or read_time",
                        value -> HeatSourceChoice.parse(String.valueOf(value))),
                balance(heat),
                heat.nanos("smoothing", "3s", "100ms", "10m"),
                heat.nanos("stale_after", "90s", "35s", "60m"),
                limit.flag("enabled", true),
                limit.read(
                        "counter",
                        LimiterChoice.BUCKET,
                        "bucket or halving",
                        value -> LimiterChoice.parse(String.valueOf(value))),
                limit.bytes("memory", "2MiB", "64KiB", "1GiB"),
                queue.flag("enabled", true),
                queueSettings(queue));
        heat.refuseUnknownKeys();
        limit.refuseUnknownKeys();
        queue.refuseUnknownKeys();
        file.refuseUnknownKeys();
        return config;
    }

    private static QueueSettings queueSettings(ConfigSection queue) {
        QueueSettings defaults = QueueSettings.defaults();
        return new QueueSettings(
                queue.count("soft_limit", defaults.softLimit(), 1, QueueDepth.MAX),
                queue.count("ask_every", defaults.askEvery(), 1, QueueDepth.MAX),
                queue.nanos("silence", "1s", "1ms", "1m"),
                queue.nanos("timeout", "100ms", "1ms", "1s"));
    }

    private static BalanceSettings balance(ConfigSection heat) {
        BalanceSettings defaults = BalanceSettings.defaults();
        long warmNanos = heat.nanos("warm_read", "500us", "10us", "1s");
        long coldNanos = heat.nanos("cold_read", "10ms", "20us", "10s");
        if (warmNanos >= coldNanos) {
            throw new ConfigurationException(
                    "isotherm.yaml: heat.warm_read: " + warmNanos / 1000
                            + "us is refused; allowed: less than heat.cold_read, " + coldNanos / 1000 + "us",
                    false);
        }
        return new BalanceSettings(
                heat.read(
                        "placement",
                        defaults.placement(),
                        "local or affinity",
                        value -> Placement.parse(String.valueOf(value))),
                heat.fraction("miss_floor", defaults.missFloor(), 0.001, 1),
                heat.fraction("wandering", defaults.wanderingFraction(), 0, 1),
                warmNanos,
                coldNanos);
    }
}
