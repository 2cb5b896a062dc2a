// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningCodeTest {
    private static final String HANDLER = "dev.isotherm.IsothermQueryHandler#processPrepared";
    private static final String SHARES = "dev.isotherm.share.FairShare#look";
    private static final String DISPATCHER = "org.apache.cassandra.transport.Dispatcher#processRequest";
    private static final String SERIALIZES = "org.apache.cassandra.net.Message$Serializer#serializeParams";

    @TempDir
    private Path directory;

    @Test
    void whatThePluginCallsIsThePlugins() {
        List<String> owners = List.of("all", "plugin", "plugin/dev.isotherm.share.FairShare");
        assertEquals(owners, RunningCode.owners(List.of(SHARES, HANDLER, DISPATCHER)));
        assertEquals(owners, RunningCode.owners(List.of("java.lang.Math#exp", SHARES, HANDLER)));
        assertEquals(
                owners, RunningCode.owners(List.of("org.apache.cassandra.schema.Schema#getTableMetadata", SHARES)));
    }

    @Test
    void whatItPassesOnIsCassandras() {
        assertEquals(
                List.of("all"),
                RunningCode.owners(List.of(
                        "java.util.HashMap#get",
                        "org.apache.cassandra.cql3.QueryProcessor#processPrepared",
                        "dev.isotherm.IsothermQueryHandler#lambda$processPrepared$2",
                        "dev.isotherm.IsothermQueryHandler$$Lambda$12/0x1#apply",
                        "dev.isotherm.cassandra.runtime.StatementExecution#intercepted",
                        "dev.isotherm.cassandra.runtime.StatementExecution#execute",
                        HANDLER,
                        DISPATCHER)));
        assertEquals(List.of("all"), RunningCode.owners(List.of(DISPATCHER, "java.lang.Thread#run")));
        assertEquals(List.of("all"), RunningCode.owners(List.of("dev.isotherm.lab.Probe#run")));
    }

    @Test
    void whatItSendsItselfIsThePlugins() {
        String sends = "org.apache.cassandra.net.MessagingService#send";
        assertEquals(
                List.of("all", "plugin", "plugin/dev.isotherm.cassandra.wire.OwnMessages"),
                RunningCode.owners(List.of(
                        sends,
                        "dev.isotherm.cassandra.wire.Wire#onOutbound",
                        sends,
                        "dev.isotherm.cassandra.wire.OwnMessages#tell")));
        assertEquals(
                List.of("all", "parameters"),
                RunningCode.owners(
                        List.of(SERIALIZES, sends, "dev.isotherm.cassandra.wire.Wire#onOutbound", DISPATCHER)));
    }

    @Test
    void parametersAreApart() {
        assertEquals(List.of("all", "parameters"), RunningCode.owners(List.of("java.util.Map#get", SERIALIZES)));
        assertEquals(List.of("all"), RunningCode.owners(List.of("dev.other.Message#serializeParams")));
    }

    @Test
    void samplesOfThreadsThatRunAreCounted() throws IOException {
        assertThrows(IllegalStateException.class, () -> RunningCode.end(directory));
        RunningCode.begin();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        double sum = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1_000_000; i++) {
                sum += Math.sqrt(sum + i);
            }
        }
        RunningCode.end(directory);
        Map<String, Integer> counts = Files.readAllLines(directory.resolve("samples.tsv")).stream()
                .map(line -> line.split("\t"))
                .collect(Collectors.toMap(parts -> parts[0], parts -> Integer.parseInt(parts[1])));
        assertTrue(sum > 0 && counts.get("all") > 0, counts + "");
        assertEquals(0, counts.get("plugin"));
        assertFalse(Files.exists(directory.resolve("samples.jfr")));
    }
}
