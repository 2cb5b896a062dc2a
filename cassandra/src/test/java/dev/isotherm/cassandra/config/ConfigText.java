// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Configuration files for tests. */
public final class ConfigText {
    private ConfigText() {}

    /** The contents of a file with this text. */
    public static ConfigSection file(String yaml) {
        return ConfigFile.parse(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
    }

    /** The contents of the configuration file that operators copy. */
    public static ConfigSection shipped() throws IOException {
        try (InputStream stream = Files.newInputStream(Paths.get("..", "conf", "isotherm.yaml"))) {
            return ConfigFile.parse(stream);
        }
    }
}
