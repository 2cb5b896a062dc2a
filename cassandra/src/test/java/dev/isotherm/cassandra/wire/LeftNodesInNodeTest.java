// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gossip keeps what a node said for days after it has left; nobody is told when that ends. */
class LeftNodesInNodeTest {
    private static final InetAddressAndPort LEAVING = node(9);

    private final Cassandra50 version = new Cassandra50();
    private final Failures failures = new Failures();
    private final List<String> told = new ArrayList<>();
    private final GossipState state = new GossipState(
            version,
            ApplicationState.X7,
            "mark:",
            new GossipState.Listener() {
                @Override
                public void told(InetAddressAndPort node, byte[] value) {
                    told.add(new String(value));
                }

                @Override
                public void unreadable(InetAddressAndPort node, Exception cause) {
                    told.add("unreadable");
                }

                @Override
                public void restarted(InetAddressAndPort node) {}

                @Override
                public void removed(InetAddressAndPort node) {
                    told.add("left");
                }
            },
            failures);

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    @BeforeEach
    void join() {
        Gossiper.instance.initializeNodeUnsafe(LEAVING, UUID.randomUUID(), 1);
        is("NORMAL,1");
    }

    @AfterEach
    void leave() {
        is("LEFT,1,2");
        assertEquals(0, failures.count());
    }

    private void is(String status) {
        Gossiper.instance.injectApplicationState(
                LEAVING, ApplicationState.STATUS_WITH_PORT, version.gossipValue(status));
    }

    private VersionedValue says(String text) {
        VersionedValue value = version.gossipValue("mark:" + Base64.getEncoder().encodeToString(text.getBytes()));
        Gossiper.instance.injectApplicationState(LEAVING, ApplicationState.X7, value);
        return value;
    }

    @ParameterizedTest
    @ValueSource(strings = {"LEFT,1,2", "removing,1", "removed,1,2"})
    void whatANodeThatHasLeftSaysIsPassedOver(String status) {
        state.onChange(LEAVING, ApplicationState.X7, says("warm"));
        is("LEAVING,1");
        state.onChange(LEAVING, ApplicationState.X7, says("cold"));
        is(status);
        state.onChange(LEAVING, ApplicationState.X7, says("last"));
        state.onJoin(LEAVING, Gossiper.instance.getEndpointStateForEndpoint(LEAVING));
        assertEquals(List.of("warm", "cold"), told, "it serves reads until it has left");
        is("NORMAL,1");
        state.onJoin(LEAVING, Gossiper.instance.getEndpointStateForEndpoint(LEAVING));
        assertEquals(List.of("warm", "cold", "last"), told);
    }

    /** What a thread notes of a node that had left before it came to run again would stay for good. */
    @Test
    void whatIsNotedOfANodeThatHasJustLeftIsForgottenToo() {
        Wire wire = new Wire(version, failures);
        WireHandlers handlers = new WireHandlers();
        handlers.follow(state);
        wire.install(handlers);
        wire.forgetDeparted();
        assertEquals(List.of(), told);
        wire.departed().onRemove(LEAVING);
        wire.publishHeld();
        assertEquals(List.of(), told, "what is told ten times a second is no look");
        for (int look = 1; look <= 5; look++) {
            wire.forgetDeparted();
            assertEquals(Collections.nCopies(Math.min(look, DepartedNodes.FORGOTTEN_AGAIN), "left"), told);
        }
        wire.departed().onRemove(LEAVING);
        wire.departed().onJoin(LEAVING, Gossiper.instance.getEndpointStateForEndpoint(LEAVING));
        wire.forgetDeparted();
        assertEquals(DepartedNodes.FORGOTTEN_AGAIN, told.size(), "it is there again");
    }
}
