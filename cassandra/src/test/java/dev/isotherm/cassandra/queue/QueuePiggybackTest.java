// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isotherm.queue.ServiceWeights;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which responses carry the depth of the queue. */
class QueuePiggybackTest {
    private final AtomicBoolean on = new AtomicBoolean(true);
    private final AtomicBoolean serves = new AtomicBoolean(true);

    @BeforeAll
    static void initialize() {
        DatabaseDescriptor.clientInitialization();
    }

    private static Message<NoPayload> response(Verb verb) {
        return Message.internalResponse(verb, NoPayload.noPayload);
    }

    @Test
    void aLeadersResponseCarriesItAndSwitchedOffNoneDoes() {
        LocalQueue queue =
                new LocalQueue(new LocalQueueTest.Stage(), () -> 0, new ServiceWeights(1, 2_000_000, 10_000_000, 0), 0);
        QueuePiggyback piggyback = new QueuePiggyback(on::get, serves::get, queue, null, null);
        assertNotNull(piggyback.valueFor(response(Verb.COUNTER_MUTATION_RSP), node(2)));
        assertNotNull(piggyback.valueFor(response(Verb.MUTATION_RSP), node(2)));
        assertNull(piggyback.valueFor(response(Verb.MUTATION_RSP), node(2)), "at most once in 20 ms");
        serves.set(false);
        assertNull(piggyback.valueFor(response(Verb.MUTATION_RSP), node(3)));
        on.set(false);
        assertNull(piggyback.valueFor(response(Verb.COUNTER_MUTATION_RSP), node(2)));
        assertNull(piggyback.valueFor(response(Verb.MUTATION_RSP), node(3)));
    }
}
