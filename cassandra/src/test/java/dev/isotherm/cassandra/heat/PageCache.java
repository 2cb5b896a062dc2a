// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.MappedByteBuffer;

/** The C library's calls that drop a file from the page cache, and have no page read but those asked for. */
final class PageCache {
    private static final int RANDOM = 1;
    private static final int DONT_NEED = 4;

    static {
        Native.register(PageCache.class, "c");
    }

    private PageCache() {}

    private static native int open(String path, int flags);

    private static native int posix_fadvise(int file, long offset, long length, int advice);

    private static native int posix_madvise(Pointer mapped, long length, int advice);

    private static native int close(int file);

    static void drop(String path) {
        int file = open(path, 0);
        assertTrue(file >= 0, path);
        assertEquals(0, posix_fadvise(file, 0, 0, DONT_NEED), path);
        close(file);
    }

    static void readNothingAhead(MappedByteBuffer mapped) {
        assertEquals(0, posix_madvise(Native.getDirectBufferPointer(mapped), mapped.capacity(), RANDOM));
    }
}
