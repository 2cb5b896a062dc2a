// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.stream.Stream;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.FBUtilities;

/**
 * The version of the plugin's messages that a node understands, in a padding state of gossip.
 *
 * <p>The value is {@code isotherm.wire:} and a whole number; what stands behind a further colon is of later builds. A
 * node that restarts without the plugin, or with a build from before this state, publishes none, and Cassandra forgets
 * what its last process published.
 */
final class WireVersion {
    private static final String MARK = "isotherm.wire:";
    /** What every value of the plugin in gossip begins with, of whichever build. */
    private static final String ANY_MARK = "isotherm";
    /** From this version on a node takes {@link UnaskedResponses}. */
    private static final int UNASKED_RESPONSES = 1;

    private static final int OWN = 1;

    private WireVersion() {}

    /** Tells the other nodes what this one understands. */
    static void publish(CassandraVersion version) {
        Gossiper.instance.addLocalApplicationState(version.wireState(), version.gossipValue(MARK + OWN));
    }

    /**
     * Whether gossip says nothing of the plugin on a node that it knows, by any of its states. Nothing is said, either,
     * while a node of the cluster does not take padding states, which this node then does not publish itself.
     */
    static boolean isWithoutPlugin(CassandraVersion version, InetAddressAndPort node) {
        EndpointState known = Gossiper.instance.getEndpointStateForEndpoint(node);
        if (known == null || of(version.wireState(), FBUtilities.getBroadcastAddressAndPort()) == 0) {
            return false;
        }
        return Stream.of(
                        version.wireState(),
                        version.heatState(),
                        version.queueState(),
                        version.outOfReadsState(),
                        version.limitedKeysState())
                .map(known::getApplicationState)
                .noneMatch(value -> value != null && value.value.startsWith(ANY_MARK));
    }

    static boolean takesUnaskedResponses(CassandraVersion version, InetAddressAndPort node) {
        return of(version.wireState(), node) >= UNASKED_RESPONSES;
    }

    /** 0 for a node that publishes none or something else. */
    private static int of(ApplicationState state, InetAddressAndPort node) {
        EndpointState known = Gossiper.instance.getEndpointStateForEndpoint(node);
        VersionedValue value = known == null ? null : known.getApplicationState(state);
        return value == null ? 0 : of(value.value);
    }

    /** The version that a value of the state says; 0 if it says none. */
    static int of(String text) {
        if (!text.startsWith(MARK)) {
            return 0;
        }
        int number = 0;
        for (int i = MARK.length(); i < text.length() && text.charAt(i) != ':'; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || number > 100_000) {
                return 0;
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
