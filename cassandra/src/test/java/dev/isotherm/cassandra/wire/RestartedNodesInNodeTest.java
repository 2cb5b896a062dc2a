// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.HeartBeatState;
import org.apache.cassandra.gms.IEndpointStateChangeSubscriber;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** To a process that starts Cassandra says of each node that this has restarted. */
class RestartedNodesInNodeTest {
    private static final InetAddressAndPort OTHER = node(8);
    private static final int HOUR = 3600;

    private final List<String> told = new ArrayList<>();
    private final List<InetAddressAndPort> saidByCassandra = new ArrayList<>();
    private final int nowSeconds = (int) (System.currentTimeMillis() / 1000);
    private final GossipState state = new GossipState(
            new Cassandra50(),
            ApplicationState.X7,
            "mark:",
            new GossipState.Listener() {
                @Override
                public void told(InetAddressAndPort node, byte[] value) {}

                @Override
                public void unreadable(InetAddressAndPort node, Exception cause) {}

                @Override
                public void restarted(InetAddressAndPort node) {
                    told.add("restarted " + node);
                }

                @Override
                public void removed(InetAddressAndPort node) {}
            },
            new Failures());

    private final IEndpointStateChangeSubscriber cassandras = new IEndpointStateChangeSubscriber() {
        @Override
        public void onRestart(InetAddressAndPort node, EndpointState before) {
            saidByCassandra.add(node);
        }
    };

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    @BeforeEach
    void register() {
        Gossiper.instance.register(state);
        Gossiper.instance.register(cassandras);
        // As a process does at its start with each node of system.peers.
        Gossiper.instance.addSavedEndpoint(OTHER);
    }

    @AfterEach
    void unregister() {
        Gossiper.instance.unregister(state);
        Gossiper.instance.unregister(cassandras);
        Gossiper.runInGossipStageBlocking(() -> Gossiper.instance.unsafeAnnulEndpoint(OTHER));
    }

    private void isHeardOf(int startedSeconds) {
        EndpointState says = new EndpointState(new HeartBeatState(startedSeconds, 1));
        Gossiper.runInGossipStageBlocking(() -> Gossiper.instance.applyStateLocally(Map.of(OTHER, says)));
    }

    @Test
    void oneThatHasRunForAnHourHasNot() {
        isHeardOf(nowSeconds - HOUR);
        assertEquals(List.of(OTHER), saidByCassandra);
        assertEquals(List.of(), told);
        isHeardOf(nowSeconds);
        assertEquals(List.of(OTHER, OTHER), saidByCassandra);
        assertEquals(List.of("restarted " + OTHER), told);
    }

    @Test
    void oneThatStartedAMinuteAgoMayBeColdStill() {
        isHeardOf(nowSeconds - 60);
        assertEquals(List.of("restarted " + OTHER), told);
    }
}
