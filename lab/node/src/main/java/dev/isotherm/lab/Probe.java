// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.cassandra.concurrent.ResizableThreadPool;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.metrics.TableMetrics;
import org.apache.cassandra.schema.Schema;

/**
 * A thread that writes the node's counters of reads and led counter updates to a CSV file once a second.
 *
 * <p>Each process writes its own file, {@code counters-<epoch millis of its first line>.csv}: counters start from
 * zero with the process, and a file never mixes two of them. Every line is flushed, so a killed node leaves at worst
 * one torn last line.
 */
final class Probe implements Runnable {
    private static final long PERIOD_MILLIS = 1000;
    /** The plugin's metrics; the class path of the lab's node does not have the plugin. */
    private static final String OF_PLUGIN = "org.apache.cassandra.metrics:type=Isotherm,name=";

    private final Path directory;
    private final String keyspace;
    private final ReadTraffic traffic;
    private DiskReads diskReads;

    /** How many reads the disk under the tables has served. */
    private interface DiskReads {
        long count() throws IOException;
    }

    Probe(Path directory, String keyspace, ReadTraffic traffic) {
        this.directory = directory;
        this.keyspace = keyspace;
        this.traffic = traffic;
    }

    @Override
    public void run() {
        try {
            traffic.awaitFirstMessage();
            diskReads = diskReads();
            record(directory.resolve("counters-" + System.currentTimeMillis() + ".csv"));
        } catch (IOException e) {
            System.err.println("The probe cannot write to " + directory + " and stops: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void record(Path file) throws IOException, InterruptedException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            write(out, Counters.HEADER);
            while (true) {
                write(out, read().toCsv());
                Thread.sleep(PERIOD_MILLIS - System.currentTimeMillis() % PERIOD_MILLIS);
            }
        }
    }

    private static void write(Writer out, String line) throws IOException {
        out.write(line + '\n');
        out.flush();
    }

    /** Without a cgroup, the reads of the slow disk. */
    private static DiskReads diskReads() throws IOException {
        String counted = System.getProperty("isotherm.lab.disk_reads");
        if (counted == null) {
            return SlowDisk.ofNode()::reads;
        }
        return new CgroupReads(Path.of(counted), System.getProperty("isotherm.lab.disk"))::count;
    }

    private Counters read() throws IOException {
        Counters now = new Counters();
        now.epochMillis = System.currentTimeMillis();
        Keyspace observed = Schema.instance.getKeyspaceInstance(keyspace);
        if (observed != null) {
            for (ColumnFamilyStore table : observed.getColumnFamilyStores()) {
                add(table.metric, now);
            }
        }
        now.diskReads = diskReads.count();
        now.diskWaiting = SlowDisk.ofNode().waiting();
        now.received = traffic.received();
        now.sent = traffic.sent();
        now.readStagePending = Stage.READ.executor().getPendingTaskCount();
        ResizableThreadPool leading = Stage.COUNTER_MUTATION.executor();
        now.countersLed = leading.getCompletedTaskCount();
        now.counterQueue = (long) leading.getPendingTaskCount() + leading.getActiveTaskCount();
        now.moved = countOfPlugin("GuardMovedReads");
        now.copies = countOfPlugin("WarmingCopiesServed");
        return now;
    }

    private static long countOfPlugin(String name) {
        try {
            return (Long)
                    ManagementFactory.getPlatformMBeanServer().getAttribute(new ObjectName(OF_PLUGIN + name), "Value");
        } catch (InstanceNotFoundException withoutPlugin) {
            return 0;
        } catch (JMException e) {
            throw new IllegalStateException(name + " cannot be read", e);
        }
    }

    private static void add(TableMetrics table, Counters to) {
        to.reads += table.readLatency.latency.getCount();
        to.rowCacheHits += table.rowCacheHit.getCount();
        to.rowCacheMisses += table.rowCacheMiss.getCount();
        to.coordinated += table.coordinatorReadLatency.getCount();
    }
}
