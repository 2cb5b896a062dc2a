// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.io.IOException;
import java.util.Base64;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a node says in padding states while the cluster has a node that cannot hear them. */
class HeldStatesInNodeTest {
    private boolean allTake;
    private final Cassandra50 version = new Cassandra50() {
        @Override
        public boolean allTakePaddingStates() {
            return allTake;
        }

        // States that nobody else says in this process: a plugin that another test has started says its own a little
        // later, on a thread of its own.
        @Override
        public ApplicationState heatState() {
            return ApplicationState.X9;
        }

        @Override
        public ApplicationState wireState() {
            return ApplicationState.X3;
        }
    };

    private final Wire wire = new Wire(version, new Failures());
    private final GossipState state = new GossipState(version, version.heatState(), "mark:", null, new Failures());

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    /** What the node says at present; other tests in this process may have had it say something before. */
    private static VersionedValue said(ApplicationState state) {
        return Gossiper.instance
                .getEndpointStateForEndpoint(FBUtilities.getBroadcastAddressAndPort())
                .getApplicationState(state);
    }

    private static String encoded(String text) {
        return "mark:" + Base64.getEncoder().encodeToString(text.getBytes());
    }

    @Test
    void theNewestValueIsSaidOnceAllTakeIt() {
        WireHandlers handlers = new WireHandlers();
        handlers.follow(state);
        wire.install(handlers);
        VersionedValue heatBefore = said(version.heatState());
        VersionedValue wireBefore = said(version.wireState());
        state.publish("cold".getBytes());
        state.publish("warm".getBytes());
        wire.publishHeld();
        assertSame(heatBefore, said(version.heatState()));
        assertSame(wireBefore, said(version.wireState()));

        allTake = true;
        wire.publishHeld();
        VersionedValue warm = said(version.heatState());
        assertEquals(encoded("warm"), warm.value);
        assertEquals("isotherm.wire:1", said(version.wireState()).value);

        // What has been said is not said again, and a node that is older after all is told nothing more.
        wire.publishHeld();
        assertSame(warm, said(version.heatState()));
        allTake = false;
        state.publish("hot".getBytes());
        wire.publishHeld();
        assertSame(warm, said(version.heatState()));
    }
}
