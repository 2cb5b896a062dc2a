// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** The file in which a node keeps settings that were changed while it ran: YAML, a name and a value in each line. */
public final class KeptFile {
    private static final String FIRST_LINE =
            "# Settings of Isotherm that were changed while the node ran, with kept = true.\n";

    /** Null where the configuration names no file. */
    private final Path file;

    /** @param path null if nothing can be kept */
    public KeptFile(String path) {
        this.file = path == null ? null : Path.of(path);
    }

    /**
     * The values that were kept, by name; none without a file.
     *
     * @throws ConfigurationException when there is something else than a file, or it cannot be read, or does not map
     *     names to values
     */
    public Map<String, String> read() {
        if (file == null || Files.notExists(file)) {
            return Map.of();
        }
        String finding = ConfigFile.whyNot(file);
        if (finding != null) {
            throw mistake(finding + "; allowed: " + ConfigFile.READABLE);
        }
        try (Reader text = Files.newBufferedReader(file)) {
            // The words as they stand: YAML reads on and off, yes and no, as truth values.
            Node content = new Yaml(new SafeConstructor(new LoaderOptions())).compose(text);
            return content == null ? Map.of() : values(content);
        } catch (IOException | YAMLException e) {
            throw mistake("cannot be read: " + e.getMessage() + "; allowed: YAML, a name and a value in each line");
        }
    }

    private Map<String, String> values(Node content) {
        if (!(content instanceof MappingNode)) {
            throw mistake(text(content) + " is refused; allowed: names of settings and their values");
        }
        Map<String, String> values = new TreeMap<>();
        for (NodeTuple each : ((MappingNode) content).getValue()) {
            if (values.put(text(each.getKeyNode()), text(each.getValueNode())) != null) {
                throw mistake(
                        "line " + (each.getKeyNode().getStartMark().getLine() + 1) + ": " + text(each.getKeyNode())
                                + " is refused, as it stands there twice; allowed: each setting once");
            }
        }
        return values;
    }

    private String text(Node node) {
        if (!(node instanceof ScalarNode)) {
            throw mistake("line " + (node.getStartMark().getLine() + 1)
                    + ": is refused; allowed: names of settings and their values");
        }
        return ((ScalarNode) node).getValue();
    }

    /** The exception that refuses the file's contents, or says that it cannot be read. */
    public ConfigurationException mistake(String sentence) {
        return new ConfigurationException(file + ": " + sentence, false);
    }

    /**
     * Replaces the contents at once: a process or a host that dies meanwhile leaves the old file or the new one.
     *
     * @throws IllegalArgumentException whose message says what keeps it from being written
     */
    public void write(Map<String, String> values) {
        if (file == null) {
            throw new IllegalArgumentException(
                    "isotherm.yaml names no file in kept_settings: name one by its absolute path, and restart the node");
        }
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            StringBuilder text = new StringBuilder(FIRST_LINE);
            values.forEach((name, value) ->
                    text.append(name).append(": ").append(value).append('\n'));
            write(fresh, text.toString());
            // A name may reach the disk before what it names, which would be an empty file.
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            discard(fresh);
            throw new IllegalArgumentException(file + " cannot be written (" + e + ")", e);
        }
        keepName();
    }

    /** Nothing reads what is half written, and the disk may be full. */
    private static void discard(Path fresh) {
        try {
            Files.deleteIfExists(fresh);
        } catch (IOException e) {
            // The next write replaces it; uninstalling the plugin removes it.
        }
    }

    /** The name itself is in the directory: without this a power failure may bring back the old contents. */
    private void keepName() {
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent())) {
            directory.force(true);
        } catch (IOException e) {
            // What is kept is what runs, unless the power fails: this is no refusal.
        }
    }

    private static void write(Path to, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        try (FileChannel out = FileChannel.open(
                to, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
    }
}
