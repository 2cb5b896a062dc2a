// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.GossipState;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Verb;

/** Sends and receives heat reports: in gossip to all nodes, and on read responses to coordinators. */
final class HeatWire {
    private static final String MARK = "isotherm:";

    private final HeatIntake intake;
    private final HeatPiggyback piggyback;
    private final GossipState gossip;

    HeatWire(CassandraVersion version, HeatIntake intake, LongSupplier nanoClock, Failures failures) {
        this.intake = intake;
        this.piggyback = new HeatPiggyback(nanoClock);
        this.gossip = new GossipState(version, version.heatState(), MARK, listener(intake, piggyback), failures);
    }

    void install(WireHandlers handlers) {
        handlers.follow(gossip);
        handlers.ride(
                List.of(Verb.READ_RSP),
                HeatPiggyback.PARAM,
                "A read response goes out without a heat report",
                piggyback);
        handlers.receive(
                List.of(Verb.READ_RSP),
                HeatPiggyback.PARAM,
                "The heat report on a read response is ignored",
                (response, report) -> {
                    intake.accept(response.from(), report);
                    return true;
                });
    }

    /** Publishes this node's report in gossip. */
    void publish(byte[] report) {
        gossip.publish(report);
    }

    /** Sets the report that read responses carry from now on; the array must not be modified afterwards. */
    void carry(byte[] report) {
        piggyback.carry(report);
    }

    /** Passes the reports and events that gossip carries of other nodes to the classes that remember those nodes. */
    static GossipState.Listener listener(HeatIntake intake, HeatPiggyback piggyback) {
        return new GossipState.Listener() {
            @Override
            public void told(InetAddressAndPort node, byte[] report) {
                intake.accept(node, report);
            }

            @Override
            public void unreadable(InetAddressAndPort node, Exception cause) {
                intake.reject("A gossiped heat report could not be read and is ignored", node, cause);
            }

            @Override
            public void restarted(InetAddressAndPort node) {
                intake.restarted(node);
            }

            @Override
            public void removed(InetAddressAndPort node) {
                intake.removed(node);
                piggyback.removed(node);
            }
        };
    }
}
