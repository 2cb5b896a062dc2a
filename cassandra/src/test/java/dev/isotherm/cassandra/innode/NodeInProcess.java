// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.innode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Cassandra's own storage, schema and gossip state in this process, without a socket: for tests that need real reads of
 * tables and real picks of leaders.
 *
 * <p>A process can start it once, and not after Cassandra was initialised for a client: its tests run in a process of
 * their own.
 */
public final class NodeInProcess {
    public static final String KEYSPACE = "ks";

    private static boolean isRunning;

    private NodeInProcess() {}

    /** Starts once; later calls do nothing. */
    public static synchronized void begin() throws IOException {
        if (isRunning) {
            return;
        }
        Path directory = Files.createTempDirectory(Paths.get("target").toAbsolutePath(), "node");
        Path file = Files.writeString(directory.resolve("cassandra.yaml"), configuration(directory));
        System.setProperty("cassandra.config", file.toUri().toString());
        DatabaseDescriptor.daemonInitialization();
        CommitLog.instance.start();
        Keyspace.setInitialized();
        Gossiper.instance.maybeInitializeLocalState(1);
        StorageService.instance
                .getTokenMetadata()
                .updateNormalToken(new Murmur3Partitioner.LongToken(0), FBUtilities.getBroadcastAddressAndPort());
        StorageService.instance.setRpcReady(true);
        Schema.instance.transform(keyspaces -> keyspaces.withAddedOrUpdated(
                KeyspaceMetadata.create(KEYSPACE, KeyspaceParams.simple(1), Tables.none())));
        isRunning = true;
    }

    private static String configuration(Path directory) {
        return String.join(
                "\n",
                "cluster_name: in process",
                "listen_address: 127.0.0.1",
                "rpc_address: 127.0.0.1",
                "partitioner: org.apache.cassandra.dht.Murmur3Partitioner",
                "endpoint_snitch: SimpleSnitch",
                "dynamic_snitch: false",
                "num_tokens: 1",
                "initial_token: 0",
                "seed_provider: [{class_name: org.apache.cassandra.locator.SimpleSeedProvider,"
                        + " parameters: [{seeds: '127.0.0.1:7000'}]}]",
                "commitlog_sync: periodic",
                "commitlog_sync_period: 10s",
                // Else each write waits while a sync is late, for as long as a busy disk takes.
                "periodic_commitlog_sync_lag_block: 10m",
                "row_cache_size: 4MiB",
                "data_file_directories: [" + directory.resolve("data") + "]",
                "commitlog_directory: " + directory.resolve("commitlog"),
                "cdc_raw_directory: " + directory.resolve("cdc"),
                "hints_directory: " + directory.resolve("hints"),
                "saved_caches_directory: " + directory.resolve("caches"));
    }

    /** Creates a table. */
    public static ColumnFamilyStore table(String name, String options) {
        return tables(List.of(name), options).get(0);
    }

    /** Creates tables with one change of the schema: Cassandra writes each to its disk, a quarter second. */
    public static List<ColumnFamilyStore> tables(List<String> names, String options) {
        create(names.stream()
                .map(name -> "CREATE TABLE " + name + " (k int PRIMARY KEY, v int) WITH " + options)
                .collect(Collectors.toList()));
        return names.stream().map(NodeInProcess::opened).collect(Collectors.toList());
    }

    /** Creates a table with a list. */
    public static ColumnFamilyStore lists(String name) {
        return created(name, "CREATE TABLE " + name + " (k int PRIMARY KEY, v list<int>)");
    }

    /** Creates a table of counters. */
    public static ColumnFamilyStore counters(String name) {
        return created(name, "CREATE TABLE " + name + " (k int PRIMARY KEY, v counter)");
    }

    /** A table as it was before its keyspace was dropped, which a thread may hold that looked it up before. */
    public static TableMetadata ofDroppedKeyspace() {
        return CreateTableStatement.parse("CREATE TABLE dropped (k int PRIMARY KEY, v int)", "gone")
                .build();
    }

    private static ColumnFamilyStore created(String name, String create) {
        create(List.of(create));
        return opened(name);
    }

    private static void create(List<String> statements) {
        Schema.instance.transform(keyspaces -> {
            KeyspaceMetadata keyspace = keyspaces.getNullable(KEYSPACE);
            Tables all = keyspace.tables;
            for (String statement : statements) {
                all = all.with(CreateTableStatement.parse(statement, KEYSPACE).build());
            }
            return keyspaces.withAddedOrUpdated(keyspace.withSwapped(all));
        });
    }

    private static ColumnFamilyStore opened(String name) {
        return Keyspace.open(KEYSPACE).getColumnFamilyStore(name);
    }

    /** Drops a table. */
    public static void drop(ColumnFamilyStore table) {
        Schema.instance.transform(keyspaces -> {
            KeyspaceMetadata keyspace = keyspaces.getNullable(KEYSPACE);
            return keyspaces.withAddedOrUpdated(keyspace.withSwapped(keyspace.tables.without(table.name)));
        });
    }
}
