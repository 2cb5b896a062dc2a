// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupReadsTest {
    @TempDir
    Path directory;

    @Test
    void countsTheReadsOfVersionOneFromItsBeginning() throws IOException {
        Path file = directory.resolve("blkio.throttle.io_serviced");
        Files.writeString(file, "Total 0\n");
        CgroupReads fromNothing = new CgroupReads(file, "254:0");
        Files.writeString(file, "8:0 Read 5\n254:0 Read 17\n254:0 Write 3\n254:0 Total 20\nTotal 25\n");
        CgroupReads later = new CgroupReads(file, "254:0");
        Files.writeString(file, "8:0 Read 5\n254:0 Read 19\n254:0 Write 3\n254:0 Total 22\nTotal 27\n");
        assertEquals(19, fromNothing.count());
        assertEquals(2, later.count());
    }

    @Test
    void countsTheReadsOfVersionTwo() throws IOException {
        Path file = directory.resolve("io.stat");
        Files.writeString(file, "");
        CgroupReads reads = new CgroupReads(file, "8:0");
        Files.writeString(
                file,
                "18:0 rbytes=1 wbytes=0 rios=99 wios=0 dbytes=0 dios=0\n"
                        + "8:0 rbytes=4096 wbytes=0 rios=1 wios=70 dbytes=0 dios=0\n");
        assertEquals(1, reads.count());
    }

    @Test
    void findsTheDiskOfADirectory() throws IOException, InterruptedException {
        Process stat = new ProcessBuilder("stat", "-c", "%Hd:%Ld", directory.toString()).start();
        String disk = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        Path file = directory.resolve("io.stat");
        Files.writeString(file, "");
        CgroupReads reads = new CgroupReads(file, directory.toString());
        Files.writeString(file, "999:999 rbytes=1 rios=3\n" + disk + " rbytes=1 rios=2\n");
        assertEquals(2, reads.count());
    }
}
