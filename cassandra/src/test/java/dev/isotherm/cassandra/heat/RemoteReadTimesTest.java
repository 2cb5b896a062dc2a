// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.Addresses;
import dev.isotherm.cassandra.wire.PassedMessages;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemoteReadTimesTest {
    private boolean isAsked = true;
    private long nowNanos;
    private final RemoteReadTimes times = new RemoteReadTimes(() -> isAsked, () -> nowNanos);
    private PassedMessages messages;

    @BeforeAll
    static void begin() {
        DatabaseDescriptor.clientInitialization();
    }

    @BeforeEach
    void install() {
        WireHandlers handlers = new WireHandlers();
        times.install(handlers);
        messages = new PassedMessages(handlers, Addresses.node(2));
    }

    /** Of a thousand messages some are timed. */
    private void pass(Verb request, Verb response, long nanos) {
        for (long id = 1; id <= 1000; id++) {
            nowNanos += 1_000_000;
            messages.send(request, id);
            nowNanos += nanos;
            assertTrue(messages.receive(response, id), "it goes on to Cassandra");
        }
    }

    @Test
    void aReadIsTimedFromItsSendingToItsAnswer() {
        pass(Verb.READ_REQ, Verb.READ_RSP, 250_000);
        assertEquals(250_000, times.trips().leastNanos());
    }

    @Test
    void aNodeBefore40AnswersByTheOneVerb() {
        pass(Verb.READ_REQ, Wire.ANSWER_BEFORE_40, 250_000);
        assertEquals(250_000, times.trips().leastNanos());
    }

    @Test
    void othersAreNot() {
        pass(Verb.MUTATION_REQ, Verb.MUTATION_RSP, 250_000);
        pass(Verb.READ_REQ, Verb.MUTATION_RSP, 250_000);
        assertTrue(Double.isNaN(times.trips().leastNanos()));
    }

    @Test
    void whereNobodyAsksNoneIs() {
        isAsked = false;
        pass(Verb.READ_REQ, Verb.READ_RSP, 250_000);
        assertTrue(Double.isNaN(times.trips().leastNanos()));
    }
}
