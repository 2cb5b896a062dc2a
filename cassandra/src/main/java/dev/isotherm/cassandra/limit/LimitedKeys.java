// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.GossipState;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.common.MalformedReportException;
import dev.isotherm.limit.KeyLimit;
import dev.isotherm.limit.KeyLimits;
import dev.isotherm.limit.KeyLimitsReport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.Clock;

/**
 * The limits of single partitions that operators set: this node's copy, and how all nodes come to have the same.
 *
 * <p>The node at which one is set tells the others at once. In gossip each node states a digest of what it knows;
 * whoever sees another one than its own asks that node, once a second. So each node passes on what it knows to nodes
 * that were down or have restarted.
 */
/*
 * Gossip carries the digest alone: its values are rows of system_views.gossip_info, where keys are not for everybody,
 * and each node keeps a copy of each other node's.
 */
final class LimitedKeys implements GossipState.Listener {
    private static final String TOLD = "isotherm.limited_keys";
    /** The parameter of a question; its value is not read. */
    private static final String ASK = "isotherm.limited_keys?";

    private static final String ANSWER = "isotherm.limited_keys_are";
    private static final String MARK = "isotherm.limited_keys:";
    private static final byte[] NOTHING = {0};

    private final LimitsInForce limits;
    private final InetAddressAndPort self;
    private final OwnMessages messages;
    private final GossipState state;
    private final UnreadableValues unreadable = new UnreadableValues();
    /** What the other nodes know, as gossip states it. */
    private final Map<InetAddressAndPort, Long> digests = new ConcurrentHashMap<>();

    private volatile KeyLimits known = KeyLimits.EMPTY;
    /** The limits that hold, as the decisions know them. Guarded by this. */
    private List<KeyLimit> holding = List.of();

    private final Object publishing = new Object();
    /** The digest in gossip. Guarded by publishing. */
    private long published;

    LimitedKeys(
            LimitsInForce limits,
            InetAddressAndPort self,
            OwnMessages messages,
            CassandraVersion version,
            Failures failures) {
        this.limits = limits;
        this.self = self;
        this.messages = messages;
        this.state = new GossipState(version, version.limitedKeysState(), MARK, this, failures);
    }

    /** Hears the other nodes, and answers them. */
    void install(WireHandlers handlers) {
        handlers.follow(state);
        handlers.hear(
                TOLD,
                "A limit of a partition that another node told is not taken over",
                (message, value) -> heard(message.from(), value));
        handlers.answer(
                ASK,
                ANSWER,
                "A question for the limits of partitions is not answered",
                (asker, asked) -> KeyLimitsReport.encode(known));
    }

    /** What this node knows. */
    KeyLimits known() {
        return known;
    }

    /** The number of partitions that have limits of their own now. */
    long holdingNow() {
        return known.holding(Clock.Global.currentTimeMillis(), this::isOfTable);
    }

    /** Whether this node has the table that the word is about: another may have been dropped. */
    boolean isOfTable(KeyLimit word) {
        return limits.metadataOf(word) != null;
    }

    /**
     * Changes the limits at an operator's word, and tells the other nodes.
     *
     * @param change from what is known to what is to be known, which holds at once on this node
     */
    void change(UnaryOperator<KeyLimits> change) {
        byte[] told;
        synchronized (this) {
            KeyLimits changed = change.apply(known);
            if (changed == known) {
                return;
            }
            told = KeyLimitsReport.encode(changed.without(known));
            know(changed);
        }
        for (InetAddressAndPort node : Gossiper.instance.getLiveMembers()) {
            if (!node.equals(self)) {
                messages.tell(node, TOLD, told);
            }
        }
        publish();
    }

    private synchronized void know(KeyLimits now) {
        known = now;
        long millis = Clock.Global.currentTimeMillis();
        List<KeyLimit> hold =
                now.words().stream().filter(word -> word.holds(millis)).collect(Collectors.toList());
        if (!hold.equals(holding)) {
            limits.limitKeys(hold);
            holding = hold;
        }
    }

    /**
     * Takes over what another node tells. What cannot be read is dropped whole, a word of the future alone; both are
     * counted.
     */
    void heard(InetAddressAndPort node, byte[] value) {
        long now = Clock.Global.currentTimeMillis();
        try {
            KeyLimits told = KeyLimitsReport.decode(value, now, cause -> unreadable(node, cause));
            synchronized (this) {
                know(known.merged(told, now));
            }
        } catch (MalformedReportException e) {
            unreadable(node, e);
        }
    }

    /** Ends what has ended, states what is known, and asks a node that knows something else; call it each second. */
    void look() {
        synchronized (this) {
            know(known.at(Clock.Global.currentTimeMillis()));
        }
        publish();
        if (digests.isEmpty() || !messages.mayAskByItself()) {
            return;
        }
        long own = KeyLimitsReport.digest(known);
        List<InetAddressAndPort> others = new ArrayList<>();
        digests.forEach((node, digest) -> {
            if (digest != own && FailureDetector.instance.isAlive(node)) {
                others.add(node);
            }
        });
        if (!others.isEmpty()) {
            ask(others.get(ThreadLocalRandom.current().nextInt(others.size())));
        }
    }

    /** Asks a node what it knows, and takes its answer over as what it tells. */
    void ask(InetAddressAndPort node) {
        messages.ask(node, ASK, NOTHING, ANSWER, answer -> {
            if (answer != null) {
                heard(node, answer);
            }
        });
    }

    private void publish() {
        synchronized (publishing) {
            long digest = KeyLimitsReport.digest(known);
            if (digest != published) {
                state.publish(ByteBuffer.allocate(Long.BYTES).putLong(digest).array());
                published = digest;
            }
        }
    }

    @Override
    public void told(InetAddressAndPort node, byte[] value) {
        if (value.length != Long.BYTES) {
            throw new IllegalArgumentException(value.length + " bytes are no digest");
        }
        digests.put(node, ByteBuffer.wrap(value).getLong());
    }

    @Override
    public void unreadable(InetAddressAndPort node, Exception cause) {
        unreadable.ignore("What a node told of the limits of partitions could not be read and is ignored", node, cause);
    }

    @Override
    public void restarted(InetAddressAndPort node) {
        digests.remove(node);
    }

    @Override
    public void removed(InetAddressAndPort node) {
        digests.remove(node);
    }

    /** What other nodes told and could not be read, since the node started. */
    long malformed() {
        return unreadable.count();
    }
}
