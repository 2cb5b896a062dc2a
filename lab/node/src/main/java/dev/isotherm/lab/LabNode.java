// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.nio.file.Path;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.service.CassandraDaemon;

/**
 * An unmodified Cassandra node with the lab's instruments.
 *
 * <p>System properties: {@code isotherm.lab.directory}, the directory of the counters and the orders (required);
 * {@code isotherm.lab.keyspace}, the keyspace observed (default {@code lab});
 * {@code isotherm.lab.disk_reads}, the file in which the kernel counts the disk reads of the node's cgroup, and {@code
 * isotherm.lab.disk}, the disk in it (default: the reads of the slow disk).
 */
public final class LabNode {
    private LabNode() {}

    public static void main(String[] arguments) {
        String place = System.getProperty("isotherm.lab.directory");
        if (place == null) {
            System.err.println("LabNode needs -Disotherm.lab.directory=<the node's directory>.");
            System.exit(2);
        }
        Path directory = Path.of(place);
        String keyspace = System.getProperty("isotherm.lab.keyspace", "lab");

        // Before the daemon starts: peers send reads as soon as gossip reports this node as up, which is before CQL.
        DatabaseDescriptor.daemonInitialization();
        ReadTraffic traffic = new ReadTraffic(keyspace);
        traffic.attach();
        start("isotherm-lab-probe", new Probe(directory, keyspace, traffic));

        CassandraDaemon.main(arguments);

        traffic.nodeStarted();
        start("isotherm-lab-control", new ControlChannel(directory.resolve("control"), NodeCommands.all()));
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
