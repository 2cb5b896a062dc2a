// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/** What the process holds: live objects after a full garbage collection, and threads. */
final class Holdings {
    private Holdings() {}

    /**
     * Writes {@code heap.txt}, the histogram of {@code jcmd GC.class_histogram}, and {@code threads.tsv}, the group and
     * the name of each thread. Not jcmd itself: a Java runtime without the development kit has none.
     */
    static void write(Path directory) throws IOException, JMException {
        Files.writeString(directory.resolve("heap.txt"), liveObjects());
        Files.write(directory.resolve("threads.tsv"), threads());
    }

    /** Collects garbage and returns a line for each class, {@code <rank>: <objects> <bytes> <class>}, and their sum. */
    static String liveObjects() throws JMException {
        return (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
    }

    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Holdings::named)
                .sorted()
                .collect(Collectors.toList());
    }

    private static String named(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        // One that has just ended has none.
        return (group == null ? "" : group.getName()) + '\t' + thread.getName();
    }
}
