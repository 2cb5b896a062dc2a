// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Finds and reads {@code isotherm.yaml}. */
public final class ConfigFile {
    /** System property with the file's path; without it the file is beside cassandra.yaml, on the class path. */
    public static final String LOCATION_PROPERTY = "isotherm.config";

    static final String READABLE = "a regular file that this process can read";

    private static final String NAME = "isotherm.yaml";

    private ConfigFile() {}

    /**
     * The contents of the file.
     *
     * @throws ConfigurationException when the file is missing, is no file that can be read, or is not YAML
     */
    public static ConfigSection load() {
        try (InputStream stream = open()) {
            return parse(stream);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    static ConfigurationException unreadable(IOException e) {
        String cause = e instanceof CharacterCodingException
                ? "it is not UTF-8; allowed: UTF-8"
                : e.getMessage() + "; allowed: " + READABLE;
        return new ConfigurationException("isotherm.yaml cannot be read: " + cause, false);
    }

    static InputStream open() throws IOException {
        String location = System.getProperty(LOCATION_PROPERTY);
        if (location != null) {
            Path path = Paths.get(location.startsWith("file:") ? location.substring("file:".length()) : location);
            return open(path, "-D" + LOCATION_PROPERTY + "=" + location);
        }
        return besideCassandras(ConfigFile.class.getClassLoader());
    }

    /** The file on the class path, which Cassandra's scripts begin with the directory of cassandra.yaml. */
    static InputStream besideCassandras(ClassLoader loader) throws IOException {
        URL url = loader.getResource(NAME);
        if (url == null) {
            throw new ConfigurationException(
                    "isotherm.yaml is missing: put it beside cassandra.yaml, or name it with -D" + LOCATION_PROPERTY
                            + "=<path>",
                    false);
        }
        if (!"file".equals(url.getProtocol())) {
            return url.openStream();
        }
        try {
            // Not as a resource: that has the names in a directory for a text, and is none where a file is unreadable.
            Path path = Paths.get(url.toURI());
            return open(path, "isotherm.yaml: " + path);
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static InputStream open(Path path, String named) throws IOException {
        String finding = whyNot(path);
        if (finding != null) {
            throw new ConfigurationException(named + " " + finding + "; allowed: " + READABLE, false);
        }
        return Files.newInputStream(path);
    }

    /** Why the file cannot be read; null for one that can. */
    static String whyNot(Path path) {
        // A volume for a file that its host does not have is an empty directory.
        if (Files.isDirectory(path)) {
            return "is a directory";
        }
        if (!Files.exists(path)) {
            return Files.notExists(path) ? "is not there" : "cannot be looked for by this process";
        }
        // Whoever opens a pipe waits for its other end.
        if (!Files.isRegularFile(path)) {
            return "is not a regular file";
        }
        return Files.isReadable(path) ? null : "is unreadable for this process";
    }

    /**
     * The contents of the stream.
     *
     * @throws ConfigurationException when the stream is not YAML
     */
    public static ConfigSection parse(InputStream stream) {
        try {
            SafeConstructor constructor = new SafeConstructor(new LoaderOptions());
            Yaml yaml = new Yaml(constructor);
            // Last: before SnakeYAML 2 what is loaded by has options of its own. Of a section that is there twice, the
            // first one would be lost.
            constructor.setAllowDuplicateKeys(false);
            return new ConfigSection("", yaml.load(stream));
        } catch (YAMLException e) {
            throw new ConfigurationException("isotherm.yaml is not valid YAML: " + sentence(e), false);
        }
    }

    /**
     * The parser's finding and its place, without the line of the file that the parser adds: a log does not need it.
     */
    private static String sentence(YAMLException e) {
        if (!(e instanceof MarkedYAMLException)) {
            return e.getMessage();
        }
        MarkedYAMLException marked = (MarkedYAMLException) e;
        Mark mark = marked.getProblemMark();
        String where = mark == null ? "" : "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": ";
        return where + marked.getProblem() + "; allowed: YAML, indented by spaces, each key once";
    }
}
