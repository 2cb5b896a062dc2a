// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kernel says of a thread's reads of a real file, both ways in which Cassandra reads its tables. */
class ThreadDiskReadsTest {
    private static final int STEP = 1 << 16;
    private static final int READS = 200;

    private ThreadDiskReads kernel;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        assumeTrue(Platform.isLinux());
        assertTrue(ThreadDiskReads.areTold());
        kernel = new ThreadDiskReads();
        // Not the directory of temporary files, which may be in memory.
        file = Files.createTempFile(Files.createDirectories(Paths.get("target")), "read", ".bin");
        byte[] content = new byte[READS * STEP];
        new SplittableRandom(1).nextBytes(content);
        Files.write(file, content);
        try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
            written.force(true);
        }
    }

    @AfterEach
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    private MappedByteBuffer mapped(FileChannel opened) throws IOException {
        MappedByteBuffer mapped = opened.map(FileChannel.MapMode.READ_ONLY, 0, opened.size());
        PageCache.readNothingAhead(mapped);
        return mapped;
    }

    /** Of how many reads the kernel says that the disk was read for them. */
    private int fromDisk(IntUnaryOperator read) {
        int fromDisk = 0;
        for (int i = 0; i < READS; i++) {
            assertTrue(kernel.ask());
            long before = kernel.diskReads();
            read.applyAsInt(i * STEP);
            assertTrue(kernel.ask());
            fromDisk += kernel.diskReads() > before ? 1 : 0;
        }
        return fromDisk;
    }

    @Test
    void readsByPread() throws IOException {
        try (FileChannel opened = FileChannel.open(file)) {
            ByteBuffer page = ByteBuffer.allocateDirect(4096);
            IntUnaryOperator read = position -> {
                try {
                    return opened.read(page.clear(), position);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            };
            PageCache.drop(file.toString());
            assertEquals(READS, fromDisk(read));
            assertEquals(0, fromDisk(read));
        }
    }

    /** Pages that a process has mapped and touched cannot be dropped: each time the file is mapped anew. */
    @Test
    void readsOfAMappedFile() throws IOException {
        try (FileChannel opened = FileChannel.open(file)) {
            PageCache.drop(file.toString());
            MappedByteBuffer cold = mapped(opened);
            assertEquals(READS, fromDisk(cold::get));
            assertEquals(0, fromDisk(cold::get));
            MappedByteBuffer warm = mapped(opened);
            assertEquals(0, fromDisk(warm::get), "faults that find their page in the page cache");
        }
    }
}
