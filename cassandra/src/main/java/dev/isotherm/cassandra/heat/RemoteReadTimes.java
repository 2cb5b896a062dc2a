// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.heat.RoundTrips;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.cassandra.net.Verb;

/** Times the reads that this node sends to others: what a message takes is known from reads that hit. */
final class RemoteReadTimes {
    private static final String WHEN_IT_FAILS = "The time of a read is not taken";

    private final RoundTrips trips = new RoundTrips();
    private final BooleanSupplier isAsked;
    private final LongSupplier nanoClock;

    /** @param isAsked whether someone asks for the times; without that no read is timed */
    RemoteReadTimes(BooleanSupplier isAsked, LongSupplier nanoClock) {
        this.isAsked = isAsked;
        this.nanoClock = nanoClock;
    }

    void install(WireHandlers handlers) {
        handlers.watch(List.of(Verb.READ_REQ), WHEN_IT_FAILS, (read, to) -> {
            if (RoundTrips.isTimed(read.id()) && isAsked.getAsBoolean()) {
                trips.sent(read.id(), nanoClock.getAsLong());
            }
        });
        for (Verb answer : List.of(Verb.READ_RSP, Wire.ANSWER_BEFORE_40)) {
            handlers.receiveAll(answer, WHEN_IT_FAILS, (response, none) -> {
                if (RoundTrips.isTimed(response.id()) && isAsked.getAsBoolean()) {
                    trips.answered(response.id(), nanoClock.getAsLong());
                }
                return true;
            });
        }
    }

    RoundTrips trips() {
        return trips;
    }
}
