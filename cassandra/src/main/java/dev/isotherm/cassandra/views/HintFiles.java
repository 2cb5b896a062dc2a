// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The hints that a node has on its disk for others. Cassandra's own count leaves out the file that is being delivered,
 * which may be all of them.
 */
final class HintFiles {
    private static final int UUID_LENGTH = 36;

    private HintFiles() {}

    /**
     * The bytes for each other node, by its host id.
     *
     * @throws IOException if the directory cannot be read
     */
    static Map<UUID, Long> bytesByHost(Path directory) throws IOException {
        Map<UUID, Long> bytes = new HashMap<>();
        // HOST-TIME-VERSION.hints
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*-*.hints")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (name.length() > UUID_LENGTH) {
                    bytes.merge(host(name), size(file), Long::sum);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        bytes.remove(null);
        return bytes;
    }

    /** Null where it is another file. */
    private static UUID host(String name) {
        try {
            return UUID.fromString(name.substring(0, UUID_LENGTH));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException delivered) {
            return 0;
        }
    }
}
