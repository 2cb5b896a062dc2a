// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one thread has had the disk read, and how often it has slept, by the kernel's own accounting. Works for reads by
 * pread and by mmap. Linux on x86_64 and aarch64.
 *
 * <p>See getrusage(2), RUSAGE_THREAD. The call goes through the JNA that Cassandra brings.
 */
final class ThreadDiskReads {
    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");

    private static final int RUSAGE_THREAD = 1;
    /* struct rusage of 64-bit Linux: two times of 16 bytes, then fourteen longs. */
    private static final long SIZE = 144;
    private static final int MAJOR_FAULTS = 72;
    private static final int BLOCKS_IN = 88;
    private static final int VOLUNTARY_SWITCHES = 128;

    private final Memory usage = new Memory(SIZE);
    /** The same bytes, in the machine's order: each read of a Memory is a call into native code. */
    private final ByteBuffer counts = usage.getByteBuffer(0, SIZE);

    private static native int getrusage(int who, Pointer usage);

    /** Whether the kernel tells; where it does not, one line in the log says why. */
    static boolean areTold() {
        String why = "it is not Linux on x86_64 or aarch64";
        try {
            if (Platform.isLinux() && Platform.is64Bit() && (Platform.isIntel() || Platform.isARM())) {
                Native.register(ThreadDiskReads.class, NativeLibrary.getInstance("c"));
                why = "getrusage failed";
                if (new ThreadDiskReads().ask()) {
                    return true;
                }
            }
        } catch (RuntimeException | LinkageError | AssertionError e) {
            why = e.toString();
        }
        logger.info(
                "This system does not say which reads go to the disk ({}): a table's heat is its mean read time, or,"
                        + " where it uses the row cache and heat.source is not disk, the row cache's misses",
                why);
        return false;
    }

    /** Asks for the counts of the present thread; whether the kernel tells them. Only after {@link #areTold}. */
    boolean ask() {
        return getrusage(RUSAGE_THREAD, usage) == 0;
    }

    /** Blocks read and page faults that needed the disk, from the thread's beginning to the last question. */
    long diskReads() {
        return counts.getLong(MAJOR_FAULTS) + counts.getLong(BLOCKS_IN);
    }

    /** Times the thread had given up its processor to wait, for the disk among others, as of the last question. */
    long sleeps() {
        return counts.getLong(VOLUNTARY_SWITCHES);
    }
}
