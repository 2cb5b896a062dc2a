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

    /** {@code disk} is {@code major:minor}. */
    CgroupReads(Path file, String disk) throws IOException {
        this.file = file;
        this.line = Pattern.compile("^" + Pattern.quote(disk) + " (?:Read |.*\\brios=)(\\d+)", Pattern.MULTILINE);
        this.beginning = total();
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
