// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads of one disk that the kernel counted for a cgroup, since this object was made.
 *
 * <p>Understands {@code blkio.throttle.io_serviced} of cgroup version 1 ({@code 254:0 Read 17}) and {@code io.stat} of
 * version 2 ({@code 254:0 rbytes=69632 wbytes=0 rios=17 wios=0}). The cgroup outlives the process, hence the beginning.
 */
final class CgroupReads {
    private final Path file;
    private final Pattern line;
    private final long beginning;

    /** {@code disk} is {@code major:minor}, or a directory on a disk without partitions. */
    CgroupReads(Path file, String disk) throws IOException {
        this.file = file;
        this.line =
                Pattern.compile("^" + Pattern.quote(numberOf(disk)) + " (?:Read |.*\\brios=)(\\d+)", Pattern.MULTILINE);
        this.beginning = total();
    }

    private static String numberOf(String disk) throws IOException {
        if (disk.indexOf('/') < 0) {
            return disk;
        }
        // The layout of glibc's gnu_dev_major() and gnu_dev_minor().
        long number = ((Number) Files.getAttribute(Path.of(disk), "unix:dev")).longValue();
        long major = (number >> 32 & 0xfffff000L) | (number >> 8 & 0xfff);
        long minor = (number >> 12 & 0xffffff00L) | (number & 0xff);
        return major + ":" + minor;
    }

    long count() throws IOException {
        return total() - beginning;
    }

    /** A disk of which the group has read nothing has no line. */
    private long total() throws IOException {
        Matcher found = line.matcher(Files.readString(file));
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}
