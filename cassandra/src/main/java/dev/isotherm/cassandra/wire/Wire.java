// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.OwnTasks;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Carries the plugin's values on Cassandra's messages: adds values to outgoing messages and reads them from incoming
 * ones.
 *
 * <p>Cassandra's sinks can drop a message, but not replace it. A message that gets values is dropped, and the same
 * message with the values is sent instead.
 */
public final class Wire {
    /**
     * Set while the present thread sends a replacement, which passes through the sinks again and must not be replaced
     * again.
     */
    private static final ThreadLocal<Boolean> REPLACING = ThreadLocal.withInitial(() -> false);

    /** By which nodes before 4.0 answer whatever they are asked. */
    @SuppressWarnings("deprecation")
    public static final Verb ANSWER_BEFORE_40 = Verb.REQUEST_RSP;

    /** The verbs of what clients ask for. */
    private static final Set<Verb> OF_REQUESTS = EnumSet.of(
            Verb.READ_REQ,
            Verb.READ_RSP,
            Verb.RANGE_REQ,
            Verb.RANGE_RSP,
            Verb.MUTATION_REQ,
            Verb.MUTATION_RSP,
            Verb.COUNTER_MUTATION_REQ,
            Verb.COUNTER_MUTATION_RSP,
            ANSWER_BEFORE_40,
            Verb.FAILURE_RSP);

    private final CassandraVersion version;
    private final Failures failures;
    private final BiConsumer<Message<?>, InetAddressAndPort> sender;
    private final Predicate<InetAddressAndPort> known;
    private volatile Map<Verb, List<WireHandlers.Riding>> riders = new EnumMap<>(Verb.class);
    private volatile Map<Verb, List<WireHandlers.Receiving>> receivers = new EnumMap<>(Verb.class);
    private final List<GossipState> gossip = new CopyOnWriteArrayList<>();
    private final DepartedNodes departed = new DepartedNodes();
    private final List<LocalReadSubscriber.Watcher> localReads = new CopyOnWriteArrayList<>();
    private volatile boolean saysWhatItTakes;
    private volatile BooleanSupplier idle = () -> false;
    private final UnreadableValues unreadable = new UnreadableValues();

    public Wire(CassandraVersion version, Failures failures) {
        this(
                version,
                failures,
                (message, to) -> MessagingService.instance().send(message, to),
                node -> Gossiper.instance.getEndpointStateForEndpoint(node) != null);
        // Before any feature that forgets a node: what comes of it afterwards is not taken.
        Gossiper.instance.register(departed);
    }

    /**
     * @param sender sends a message that replaces another
     * @param known whether gossip knows the node. Values of others are not taken, nor of those that have left: what
     *     features remember of nodes is bounded by their number, and forgotten when they leave
     */
    Wire(
            CassandraVersion version,
            Failures failures,
            BiConsumer<Message<?>, InetAddressAndPort> sender,
            Predicate<InetAddressAndPort> known) {
        this.version = version;
        this.failures = failures;
        this.sender = sender;
        this.known = known;
    }

    /**
     * While it says so, reads and the messages of requests are left alone: what they carry is read by nobody. Messages
     * by which nodes ask each other are answered.
     */
    public void restWhile(BooleanSupplier nothingIsDone) {
        idle = nothingIsDone;
    }

    /** Starts to intercept messages, and tells the other nodes so. */
    public void open() {
        install(UnaskedResponses.answers());
        version.onOutbound(this::onOutbound);
        version.onInbound(this::onInbound);
        MessagingService.instance()
                .latencySubscribers
                .subscribe(new LocalReadSubscriber(
                        FBUtilities.getBroadcastAddressAndPort(), failures, () -> idle.getAsBoolean(), localReads));
        publishHeld();
    }

    /** Publishes what is new, once every node takes it. It waits for gossip's lock: on a thread of its own. */
    public void publishHeld() {
        // Who takes what is asked once for all: the answer takes a look at each node of the cluster.
        if (saysWhatItTakes && gossip.stream().noneMatch(GossipState::isHeld) || !version.allTakePaddingStates()) {
            return;
        }
        if (!saysWhatItTakes) {
            WireVersion.publish(version);
            saysWhatItTakes = true;
        }
        gossip.forEach(GossipState::publishHeld);
    }

    /** Forgets once more, each second, the nodes that left lately; remembers only those that gossip knows. */
    public void forgetDeparted() {
        departed.toForget().forEach(node -> gossip.forEach(state -> state.onRemove(node)));
        departed.retain(known);
    }

    /** Installs one feature's handlers. */
    public synchronized void install(WireHandlers handlers) {
        Map<Verb, List<WireHandlers.Riding>> riding = copyOf(riders);
        handlers.riders.forEach(rider ->
                riding.computeIfAbsent(rider.verb, v -> new ArrayList<>()).add(rider));
        riders = riding;
        Map<Verb, List<WireHandlers.Receiving>> receiving = copyOf(receivers);
        handlers.receivers.forEach(receiver ->
                receiving.computeIfAbsent(receiver.verb, v -> new ArrayList<>()).add(receiver));
        receivers = receiving;
        localReads.addAll(handlers.localReads);
        gossip.addAll(handlers.gossip);
        handlers.gossip.forEach(state -> Gossiper.instance.register(state));
    }

    private static <T> Map<Verb, List<T>> copyOf(Map<Verb, List<T>> lists) {
        Map<Verb, List<T>> copy = new EnumMap<>(Verb.class);
        lists.forEach((verb, list) -> copy.put(verb, new ArrayList<>(list)));
        return copy;
    }

    private boolean isMember(InetAddressAndPort node) {
        return known.test(node) && !departed.has(node);
    }

    /** The nodes of which nothing is taken and which nothing is told any more. */
    DepartedNodes departed() {
        return departed;
    }

    /** Questions and answers of other nodes whose number could not be read, since the node started. */
    public long unreadable() {
        return unreadable.count();
    }

    private boolean isLeftAlone(Message<?> message) {
        return idle.getAsBoolean() && OF_REQUESTS.contains(message.verb());
    }

    /** The outbound predicate: false drops the message. */
    boolean onOutbound(Message<?> message, InetAddressAndPort to) {
        if (isLeftAlone(message)) {
            return true;
        }
        List<WireHandlers.Riding> asked = riders.get(message.verb());
        if (asked == null || isReplacement(message) || departed.has(to)) {
            return true;
        }
        Message<?> carrying = message;
        for (int i = 0; i < asked.size(); i++) {
            WireHandlers.Riding riding = asked.get(i);
            try {
                byte[] value = riding.valueFor(message, to);
                if (value != null) {
                    carrying = CustomParams.with(carrying, riding.param, value);
                }
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failures.record(riding.whenItFails, e);
            }
        }
        if (carrying == message) {
            return true;
        }
        REPLACING.set(true);
        try {
            sender.accept(carrying, to);
        } finally {
            REPLACING.set(false);
        }
        return false;
    }

    /** A replacement carries values. Most messages carry none, and the thread's own mark is dearer to find. */
    private static boolean isReplacement(Message<?> message) {
        return CustomParams.allOf(message) != null && REPLACING.get();
    }

    /** The inbound predicate: false keeps the message from Cassandra. */
    boolean onInbound(Message<?> message) {
        if (isLeftAlone(message)) {
            return true;
        }
        List<WireHandlers.Receiving> asked = receivers.get(message.verb());
        if (asked == null) {
            return true;
        }
        Map<String, byte[]> params = CustomParams.allOf(message);
        for (int i = 0; i < asked.size(); i++) {
            WireHandlers.Receiving receiving = asked.get(i);
            if (receiving.param != null && params == null) {
                continue;
            }
            try {
                byte[] value = receiving.param == null ? null : params.get(receiving.param);
                if ((receiving.param == null || value != null && isMember(message.from()))
                        && !receiving.receiver.received(message, value)) {
                    // The stage that runs this counts a message that it served, however little it did.
                    OwnTasks.ran(message.verb().stage);
                    return false;
                }
            } catch (UnreadableValueException e) {
                unreadable.ignore(receiving.whenItFails, message.from(), e);
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failures.record(receiving.whenItFails, e);
            }
        }
        return true;
    }
}
