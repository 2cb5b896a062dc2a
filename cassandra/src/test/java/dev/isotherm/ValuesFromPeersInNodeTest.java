// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertAll;
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
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Everything that the features take from other nodes is documented, and none of it can be made to throw. */
class ValuesFromPeersInNodeTest {
    private static final InetAddressAndPort PEER = node(7);
    /** The decoders get more in their own tests. */
    private static final int VALUES = 10_000;

    private static final String HANDLER_PROPERTY = "cassandra.custom_query_handler_class";

    private static final Path PAGE = Paths.get("..", "docs", "security.md");
    private static final String PARAM = "isotherm\\.[a-z_?]+";
    private static final String STATE = "X\\d+";
    /** The last cell of a row says where what cannot be read is counted. */
    private static final String ROW = "(?m)^\\| `(%s)` \\|.*\\|([^|]*)\\|$";

    private static final Pattern COUNT = Pattern.compile("`([A-Za-z]+Malformed)`");

    /** As long as no value, and of no version. */
    private static final byte[] NONSENSE = "no such value".getBytes(StandardCharsets.US_ASCII);

    /** Values that are not read, or are no more than a failure of the replica that sends them. */
    private static final Set<String> UNCOUNTED =
            Set.of("isotherm.depth?", "isotherm.limited_keys?", "isotherm.rejected");

    /** Read by those alone who have asked: AnswersFromPeersInNodeTest has them counted. */
    private static final Set<String> ANSWERS = Set.of("isotherm.answer", "isotherm.limited_keys_are");

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
        isotherm = withQueryHandler(() -> new Isotherm(
                IsothermConfig.read(ConfigText.file("limit: {fair_share: dry_run}")),
                version,
                new SimpleSnitch(),
                new SimpleSnitch(),
                FBUtilities.getBroadcastAddressAndPort()));
        isotherm.features().forEach(feature -> assertTrue(feature.enabled().isOn(), feature.name()));
        wire = new Wire(version, isotherm.failures());
        List<WireHandlers> handlers = isotherm.features().stream()
                .map(feature -> {
                    WireHandlers own = new WireHandlers();
                    feature.start(own);
                    wire.install(own);
                    return own;
                })
                .collect(Collectors.toList());
        TakenFromPeers.takeAnswers(wire);
        taken = new TakenFromPeers(version, handlers);
    }

    /** Without it the features are off. */
    private static Isotherm withQueryHandler(Supplier<Isotherm> making) {
        // Cassandra makes the handler when this class is loaded: it has its own in this process.
        ClientState.forInternalCalls();
        System.setProperty(HANDLER_PROPERTY, IsothermQueryHandler.class.getName());
        try {
            return making.get();
        } finally {
            System.clearProperty(HANDLER_PROPERTY);
        }
    }

    @AfterAll
    static void end() {
        MessagingService.instance().outboundSink.clear();
    }

    /** The rows of the page, each with the count that it names; an empty text for none. */
    private static Map<String, String> documented(String row) throws IOException {
        Map<String, String> counts = new TreeMap<>();
        Pattern.compile(String.format(ROW, row))
                .matcher(Files.readString(PAGE))
                .results()
                .forEach(cells -> counts.put(cells.group(1), countIn(cells.group(2))));
        return counts;
    }

    private static String countIn(String cell) {
        Matcher count = COUNT.matcher(cell);
        return count.find() ? count.group(1) : "";
    }

    private static Set<String> uncounted(Map<String, String> documented) {
        return documented.keySet().stream()
                .filter(name -> documented.get(name).isEmpty())
                .collect(Collectors.toSet());
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
        assertEquals(params, documented(PARAM).keySet());
        assertEquals(taken.states(), documented(STATE).keySet());
    }

    @Test
    void whatCannotBeReadOnMessagesIsCountedWhereThePageSays() throws IOException {
        Map<String, String> documented = documented(PARAM);
        assertEquals(UNCOUNTED, uncounted(documented));
        // Fair shares are kept from the first look at the threads on.
        isotherm.features().stream()
                .flatMap(feature -> feature.name().equals("limit") ? feature.tasks().stream() : Stream.empty())
                .forEach(task -> task.run(isotherm.failures()));
        documented.keySet().removeAll(UNCOUNTED);
        documented.keySet().removeAll(ANSWERS);
        assertCounted(documented, ValuesFromPeersInNodeTest::sendNonsense);
        assertEquals(0, isotherm.failures().count());
    }

    private static void sendNonsense(String param) {
        switch (param) {
            case "isotherm.question":
                TakenFromPeers.onMessage(
                        wire, PEER, Verb.HINT_RSP, Map.of("isotherm.depth?", NONSENSE, param, NONSENSE));
                break;
            case "isotherm.share":
                TakenFromPeers.onMessage(wire, PEER, Verb.MUTATION_REQ, Map.of(param, NONSENSE));
                break;
            case "isotherm.share_admitted":
                TakenFromPeers.onMessage(
                        wire, PEER, Verb.FAILURE_RSP, Map.of("isotherm.share_refused", new byte[16], param, NONSENSE));
                break;
            default:
                taken.onMessages(wire, PEER, param, NONSENSE);
        }
    }

    @Test
    void whatCannotBeReadInGossipIsCountedWhereThePageSays() throws IOException {
        Map<String, String> documented = documented(STATE);
        // A node whose state cannot be read is one without the plugin.
        String ofWire = new Cassandra50().wireState().name();
        assertEquals(Set.of(ofWire), uncounted(documented));
        documented.remove(ofWire);
        String nonsense = Base64.getEncoder().encodeToString(NONSENSE);
        assertCounted(documented, state -> taken.inGossip(PEER, state, nonsense));
    }

    /** Nonsense in each place grows the count that the page names, and no other. */
    private static void assertCounted(Map<String, String> documented, Consumer<String> sending) {
        assertAll(documented.entrySet().stream().map(row -> () -> {
            Map<String, Long> before = malformed();
            sending.accept(row.getKey());
            Map<String, Long> grown = malformed();
            grown.keySet().removeIf(name -> grown.get(name).equals(before.get(name)));
            assertEquals(Set.of(row.getValue()), grown.keySet(), row.getKey());
        }));
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

    private static Map<String, Long> malformed() {
        Map<String, Long> malformed = new TreeMap<>();
        FeatureStart.counts(isotherm.features(), wire, isotherm.failures()).forEach((name, count) -> {
            if (name.endsWith("Malformed")) {
                malformed.put(name, count.getAsLong());
            }
        });
        return malformed;
    }

    /** A line a minute for each kind, and the test may take some minutes. */
    private static void assertFewOfEach(List<String> lines) {
        Set<String> kinds = new HashSet<>();
        lines.forEach(line -> kinds.add(line.split(":")[0]));
        assertTrue(lines.size() <= 5 * kinds.size(), () -> lines.size() + " lines of " + kinds);
        assertTrue(kinds.size() < 20, kinds::toString);
    }
}
