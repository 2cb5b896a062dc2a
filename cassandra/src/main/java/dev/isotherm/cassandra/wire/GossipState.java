// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.ProcessStart;
import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.IEndpointStateChangeSubscriber;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.Clock;
import org.apache.cassandra.utils.FBUtilities;

/** A value that each node publishes in one padding state of gossip, as Base64 after a mark of the plugin. */
public final class GossipState implements IEndpointStateChangeSubscriber {
    private static final Set<String> LEFT =
            Set.of(VersionedValue.STATUS_LEFT, VersionedValue.REMOVING_TOKEN, VersionedValue.REMOVED_TOKEN);
    /** A node whose process is no older may have a cold cache still. */
    private static final long LATELY_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private final CassandraVersion version;
    final ApplicationState state;
    /** Distinguishes the plugin's values from others in the same padding state. */
    final String mark;

    private final Listener listener;
    private final Failures failures;
    private final Function<InetAddressAndPort, EndpointState> states;
    /** The newest value that has not been published; null if all have. */
    private final AtomicReference<String> held = new AtomicReference<>();

    public GossipState(
            CassandraVersion version, ApplicationState state, String mark, Listener listener, Failures failures) {
        this(version, state, mark, listener, failures, node -> Gossiper.instance.getEndpointStateForEndpoint(node));
    }

    /** @param states what gossip knows of a node, null for nothing */
    GossipState(
            CassandraVersion version,
            ApplicationState state,
            String mark,
            Listener listener,
            Failures failures,
            Function<InetAddressAndPort, EndpointState> states) {
        this.version = version;
        this.state = state;
        this.mark = mark;
        this.listener = listener;
        this.failures = failures;
        this.states = states;
    }

    /** Receives the other nodes' values and events. */
    public interface Listener {
        /** Another node has published a value. */
        void told(InetAddressAndPort node, byte[] value);

        /** Another node's state lacks the plugin's mark, or its value was refused. */
        void unreadable(InetAddressAndPort node, Exception cause);

        /** Another node has restarted, a while before this one perhaps. */
        void restarted(InetAddressAndPort node);

        /** Another node has left the cluster. */
        void removed(InetAddressAndPort node);
    }

    /**
     * Has this node's value published, once every node takes such states; it reaches the other nodes within a few
     * gossip rounds of one second each. Waits for nothing.
     */
    public void publish(byte[] value) {
        held.set(mark + Base64.getEncoder().encodeToString(value));
    }

    /** Whether the newest value has not been published. */
    boolean isHeld() {
        return held.get() != null;
    }

    /**
     * Publishes the newest value, if it has not been; once every node takes it. One thread at a time.
     *
     * <p>It waits for gossip's lock, which Cassandra holds while it convicts a node: for as long as the gossip stage is
     * behind.
     */
    void publishHeld() {
        String value = held.get();
        if (value != null) {
            Gossiper.instance.addLocalApplicationState(state, version.gossipValue(value));
            held.compareAndSet(value, null);
        }
    }

    @Override
    public void onChange(InetAddressAndPort node, ApplicationState changed, VersionedValue value) {
        if (changed == state) {
            take(node, value);
        }
    }

    @Override
    public void onJoin(InetAddressAndPort node, EndpointState joined) {
        VersionedValue value = joined.getApplicationState(state);
        if (value != null) {
            take(node, value);
        }
    }

    /** @param before what gossip knew of the node before; what it knows now it has already */
    @Override
    public void onRestart(InetAddressAndPort node, EndpointState before) {
        try {
            if (isKnownByNameAlone(before) && !hasStartedLately(states.apply(node))) {
                return;
            }
            listener.restarted(node);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A node's restart could not be noted; what is known of it is what was", e);
        }
    }

    /**
     * Whether the node's process, for all that this one knows, has not restarted: a process that starts knows its peers
     * from Cassandra's tables, and gossip says of each that it has restarted when it is first heard of.
     */
    private static boolean isKnownByNameAlone(EndpointState before) {
        return before != null && before.getHeartBeatState().getGeneration() == 0;
    }

    private static boolean hasStartedLately(EndpointState now) {
        return now == null || Clock.Global.currentTimeMillis() - ProcessStart.millis(now) <= LATELY_MILLIS;
    }

    @Override
    public void onRemove(InetAddressAndPort node) {
        try {
            listener.removed(node);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A node that left could not be forgotten", e);
        }
    }

    private void take(InetAddressAndPort node, VersionedValue value) {
        if (node.equals(FBUtilities.getBroadcastAddressAndPort())) {
            return;
        }
        try {
            if (hasLeft(states.apply(node))) {
                return;
            }
            if (!value.value.startsWith(mark)) {
                throw new IllegalArgumentException("the gossip state " + state + " is not the plugin's");
            }
            listener.told(node, Base64.getDecoder().decode(value.value.substring(mark.length())));
        } catch (RuntimeException e) {
            refuse(node, e);
        } catch (LinkageError | AssertionError e) {
            failures.record("A gossiped value could not be taken in", e);
        }
    }

    /**
     * Whether the node has left the cluster, or is being removed: gossip keeps its states for days, a coordinator that
     * starts meanwhile is told of them as of any other's, and of their end nobody is told.
     */
    static boolean hasLeft(EndpointState of) {
        return of != null && LEFT.contains(of.getStatus());
    }

    private void refuse(InetAddressAndPort node, RuntimeException cause) {
        try {
            listener.unreadable(node, cause);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A gossiped value that could not be read is not counted", e);
        }
    }
}
