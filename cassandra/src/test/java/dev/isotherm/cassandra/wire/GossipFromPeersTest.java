// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Any text in a padding state of gossip is taken in or refused; nothing is thrown. */
class GossipFromPeersTest {
    private static final ApplicationState STATE = ApplicationState.X10;
    private static final String MARK = "mark:";

    @BeforeAll
    static void initialize() {
        DatabaseDescriptor.clientInitialization();
    }

    /** Listens to one state, and has what was told. */
    private static final class Listening implements GossipState.Listener {
        byte[] told;
        int unreadable;

        @Override
        public void told(InetAddressAndPort node, byte[] value) {
            told = value;
        }

        @Override
        public void unreadable(InetAddressAndPort node, Exception cause) {
            unreadable++;
        }

        @Override
        public void restarted(InetAddressAndPort node) {}

        @Override
        public void removed(InetAddressAndPort node) {}
    }

    @Test
    void valuesOfAState() {
        Failures failures = new Failures();
        Listening listener = new Listening();
        GossipState state = new GossipState(new Cassandra50(), STATE, MARK, listener, failures, node -> null);
        MangledBytes.give(
                11,
                random -> {
                    byte[] value = new byte[random.nextInt(100)];
                    random.nextBytes(value);
                    return (MARK + Base64.getEncoder().encodeToString(value)).getBytes(StandardCharsets.ISO_8859_1);
                },
                bytes -> {
                    listener.told = null;
                    listener.unreadable = 0;
                    String text = new String(bytes, StandardCharsets.ISO_8859_1);
                    state.onChange(node(2), STATE, new Cassandra50().gossipValue(text));
                    assertEquals(listener.told == null ? 1 : 0, listener.unreadable);
                    if (listener.told != null) {
                        byte[] again = Base64.getDecoder().decode(text.substring(MARK.length()));
                        assertArrayEquals(again, listener.told);
                    }
                    return listener.told != null;
                });
        assertEquals(0, failures.count());
    }

    @Test
    void versionsOfTheWire() {
        MangledBytes.give(
                12,
                random -> ("isotherm.wire:" + random.nextInt(1000) + (random.nextBoolean() ? "" : ":more"))
                        .getBytes(StandardCharsets.ISO_8859_1),
                bytes -> {
                    int version = WireVersion.of(new String(bytes, StandardCharsets.ISO_8859_1));
                    assertTrue(version >= 0 && version < 10_000_000, () -> "version " + version);
                    return version > 0;
                });
    }
}
