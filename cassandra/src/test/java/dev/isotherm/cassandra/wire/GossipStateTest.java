// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.HeartBeatState;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gossiped values of other nodes, accepted or refused. */
class GossipStateTest {
    private static final ApplicationState STATE = ApplicationState.X10;

    private final Failures failures = new Failures();
    private final List<String> told = new ArrayList<>();
    private boolean throwing;
    private Error error;
    private final GossipState state = new GossipState(
            new Cassandra50(),
            STATE,
            "mark:",
            new GossipState.Listener() {
                @Override
                public void told(InetAddressAndPort node, byte[] value) {
                    if (error != null) {
                        throw error;
                    }
                    if (throwing) {
                        throw new IllegalArgumentException("refused");
                    }
                    told.add("told " + new String(value));
                }

                @Override
                public void unreadable(InetAddressAndPort node, Exception cause) {
                    if (error != null) {
                        throw error;
                    }
                    told.add("unreadable");
                }

                @Override
                public void restarted(InetAddressAndPort node) {
                    if (throwing) {
                        throw new IllegalStateException();
                    }
                    told.add("restarted");
                }

                @Override
                public void removed(InetAddressAndPort node) {
                    if (throwing) {
                        throw new IllegalStateException();
                    }
                    told.add("removed");
                }
            },
            failures,
            node -> this.known);

    /** What gossip knows of each other node. */
    private EndpointState known;

    @BeforeAll
    static void initialize() {
        DatabaseDescriptor.clientInitialization();
    }

    private static VersionedValue value(String text) {
        return new Cassandra50().gossipValue(text);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes());
    }

    @Test
    void aValueBehindTheMarkIsTold() {
        state.onChange(node(2), STATE, value("mark:" + encoded("warm")));
        assertEquals(List.of("told warm"), told);
    }

    @Test
    void anotherStateIsNoneOfOurs() {
        state.onChange(node(2), ApplicationState.LOAD, value("mark:" + encoded("warm")));
        assertEquals(List.of(), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "mark", "other:d2FybQ==", "mark:%%%", "mark:abc=d"})
    void whatIsNotOursOrNoBase64IsUnreadable(String text) {
        state.onChange(node(2), STATE, value(text));
        assertEquals(List.of("unreadable"), told);
    }

    @Test
    void whatIsRefusedIsUnreadableToo() {
        throwing = true;
        state.onChange(node(2), STATE, value("mark:" + encoded("warm")));
        assertEquals(List.of("unreadable"), told);
    }

    @Test
    void nodesThatRestartAndLeaveAreTold() {
        state.onRestart(node(2), null);
        state.onRemove(node(2));
        assertEquals(List.of("restarted", "removed"), told);
    }

    /** Seconds since its process has started; within ten minutes it may be cold still. */
    @ParameterizedTest
    @CsvSource({"-5, 1", "0, 1", "590, 1", "602, 0", "1000000, 0"})
    void aNodeThatWasKnownByItsNameAloneHasRestartedIfItStartedLately(int seconds, int times) {
        known = startedBefore(seconds);
        state.onRestart(node(2), new EndpointState(HeartBeatState.empty()));
        assertEquals(Collections.nCopies(times, "restarted"), told);
        state.onRestart(node(2), startedBefore(2 * seconds + 1));
        assertEquals(times + 1, told.size(), "one that was running has restarted, whenever that was");
    }

    @Test
    void aNodeOfWhichGossipSaysNothingMayHaveStartedLately() {
        state.onRestart(node(2), new EndpointState(HeartBeatState.empty()));
        assertEquals(List.of("restarted"), told);
    }

    private static EndpointState startedBefore(int seconds) {
        return new EndpointState(new HeartBeatState((int) (System.currentTimeMillis() / 1000) - seconds, 1));
    }

    /**
     * Cassandra calls all subscribers in one loop: an exception of one subscriber would keep the value from the next.
     */
    @Test
    void nothingIsThrownIntoTheGossiper() {
        throwing = true;
        state.onRestart(node(2), null);
        state.onRemove(node(2));
        assertEquals(2, failures.count());
        error = new AssertionError("of Cassandra's");
        state.onChange(node(2), STATE, value("mark:" + encoded("warm")));
        state.onChange(node(2), STATE, value("not ours"));
        assertEquals(4, failures.count());
        assertEquals(List.of(), told);
    }
}
