// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.Base64;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.IEndpointStateChangeSubscriber;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.FBUtilities;

/** Heat reports in gossip: one padding state that holds the report in Base64 behind a mark of ours. */
public final class HeatGossip implements IEndpointStateChangeSubscriber {
    /** Tells our reports from whatever else somebody may put into the same padding state. */
    private static final String MARK = "isotherm:";

    private final CassandraVersion version;
    private final HeatIntake intake;
    private final Failures failures;

    public HeatGossip(CassandraVersion version, HeatIntake intake, Failures failures) {
        this.version = version;
        this.intake = intake;
        this.failures = failures;
    }

    /** Publishes this node's report; the others have it within a few gossip rounds, one second each. */
    public void publish(byte[] report) {
        String text = MARK + Base64.getEncoder().encodeToString(report);
        Gossiper.instance.addLocalApplicationState(version.heatState(), version.gossipValue(text));
    }

    @Override
    public void onChange(InetAddressAndPort node, ApplicationState state, VersionedValue value) {
        if (state == version.heatState()) {
            take(node, value);
        }
    }

    @Override
    public void onJoin(InetAddressAndPort node, EndpointState state) {
        VersionedValue value = state.getApplicationState(version.heatState());
        if (value != null) {
            take(node, value);
        }
    }

    @Override
    public void onRestart(InetAddressAndPort node, EndpointState state) {
        try {
            intake.restarted(node);
        } catch (RuntimeException e) {
            failures.record("A node's restart could not be noted; its heat is the one it had", e);
        }
    }

    @Override
    public void onRemove(InetAddressAndPort node) {
        intake.removed(node);
    }

    private void take(InetAddressAndPort node, VersionedValue value) {
        if (node.equals(FBUtilities.getBroadcastAddressAndPort())) {
            return;
        }
        try {
            if (!value.value.startsWith(MARK)) {
                throw new IllegalArgumentException(
                        "the gossip state " + version.heatState() + " of " + node + " is not ours");
            }
            intake.accept(node, Base64.getDecoder().decode(value.value.substring(MARK.length())));
        } catch (RuntimeException e) {
            intake.reject("A gossiped heat report could not be read and is ignored", e);
        }
    }
}
