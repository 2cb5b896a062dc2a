// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintFilesTest {
    private static final UUID ONE = new UUID(1, 2);
    private static final UUID OTHER = new UUID(3, 4);

    @TempDir
    Path directory;

    private void file(String name, int bytes) throws IOException {
        Files.write(directory.resolve(name), new byte[bytes]);
    }

    @Test
    void theFilesOfEachHostCount() throws IOException {
        file(ONE + "-1700000000000-2.hints", 5);
        file(ONE + "-1700000000001-2.hints", 7);
        file(OTHER + "-1700000000000-2.hints", 11);
        file(OTHER + "-1700000000000-2.crc32", 100);
        file("not-a-host-1700000000000-and-some-more-letters-2.hints", 100);
        file("short-2.hints", 100);
        assertEquals(Map.of(ONE, 12L, OTHER, 11L), HintFiles.bytesByHost(directory));
    }

    @Test
    void withoutADirectoryNothingIsSaid() {
        assertThrows(IOException.class, () -> HintFiles.bytesByHost(directory.resolve("gone")));
    }
}
