// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigText;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.MangledBytes;
import dev.isotherm.cassandra.wire.TakenFromPeers;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Everything that the features take from other nodes is documented, and none of it can be made to throw. */
class ValuesFromPeersInNodeTest {
    private static final InetAddressAndPort PEER = node(7);
    /** The decoders get more in their own tests. */
    private static final int VALUES = 10_000;

    /** Nothing leaves this process. */
    private static final BiPredicate<Message<?>, InetAddressAndPort> KEEP = (message, to) -> false;

    private static Isotherm isotherm;
    private static Wire wire;
    private static TakenFromPeers taken;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        MessagingService.instance().outboundSink.add(KEEP);
        Gossiper.instance.initializeNodeUnsafe(PEER, UUID.randomUUID(), 1);
        Cassandra50 version = new Cassandra50();
        isotherm = new Isotherm(
                IsothermConfig.read(ConfigText.file("")),
                version,
                new SimpleSnitch(),
                FBUtilities.getBroadcastAddressAndPort());
        wire = new Wire(version, isotherm.failures());
        List<WireHandlers> handlers = isotherm.features().stream()
                .map(feature -> {
                    WireHandlers own = new WireHandlers();
                    feature.start(own);
                    wire.install(own);
                    return own;
                })
                .collect(Collectors.toList());
        taken = new TakenFromPeers(version, handlers);
    }

    @AfterAll
    static void end() {
        MessagingService.instance().outboundSink.clear();
    }

    private static Set<String> documented(String row) throws IOException {
        return Pattern.compile("(?m)^\\| `(" + row + ")` \\|")
                .matcher(Files.readString(Paths.get("..", "docs", "security.md")))
                .results()
                .map(MatchResult::group)
                .map(cell -> cell.replaceAll("[| `]", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void thePageOnSecurityNamesWhatIsTaken() throws IOException {
        assertEquals(5, isotherm.features().size());
        Set<String> params = new TreeSet<>(taken.params());
        // They are read beside others: the number of a question, the answers to questions, and by which
        // random number a coordinator has admitted a read.
        params.addAll(Set.of(
                "isotherm.question",
                "isotherm.answer",
                "isotherm.share",
                "isotherm.share_admitted",
                "isotherm.limited_keys_are"));
        assertEquals(params, documented("isotherm\\.[a-z_?]+"));
        assertEquals(taken.states(), documented("X\\d+"));
    }

    private static byte[] ofKnownVersion(SplittableRandom random) {
        byte[] bytes = new byte[1 + random.nextInt(100)];
        random.nextBytes(bytes);
        bytes[0] = (byte) random.nextInt(1, 3);
        return bytes;
    }

    @Test
    void valuesOnMessagesAreTakenOrLeft() {
        long failures = isotherm.failures().count();
        List<String> lines = LogLines.of(
                "dev.isotherm",
                () -> MangledBytes.pour(
                        41,
                        VALUES,
                        ValuesFromPeersInNodeTest::ofKnownVersion,
                        value -> taken.onMessages(wire, PEER, value)));
        assertFewOfEach(lines);
        assertTrue(malformed() > VALUES, "malformed values are counted");
        assertEquals(failures, isotherm.failures().count(), "what a peer says is no failure of this node");
    }

    @Test
    void valuesInGossipAreTakenOrLeft() {
        long failures = isotherm.failures().count();
        List<String> lines = LogLines.of(
                "dev.isotherm",
                () -> MangledBytes.pour(42, VALUES, ValuesFromPeersInNodeTest::ofKnownVersion, value -> {
                    taken.inGossip(PEER, new String(value, StandardCharsets.ISO_8859_1));
                    taken.inGossip(PEER, Base64.getEncoder().encodeToString(value));
                }));
        assertFewOfEach(lines);
        assertEquals(failures, isotherm.failures().count(), "what a peer says is no failure of this node");
    }

    private static long malformed() {
        return isotherm.features().stream()
                .flatMap(feature -> feature.counts().entrySet().stream())
                .filter(count -> count.getKey().endsWith("Malformed"))
                .mapToLong(count -> count.getValue().getAsLong())
                .sum();
    }

    /** A line a minute for each kind, and the test may take some minutes. */
    private static void assertFewOfEach(List<String> lines) {
        Set<String> kinds = new HashSet<>();
        lines.forEach(line -> kinds.add(line.split(":")[0]));
        assertTrue(lines.size() <= 5 * kinds.size(), () -> lines.size() + " lines of " + kinds);
        assertTrue(kinds.size() < 20, kinds::toString);
    }
}
