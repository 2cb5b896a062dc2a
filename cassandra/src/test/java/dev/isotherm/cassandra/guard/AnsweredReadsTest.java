// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigText;
import dev.isotherm.cassandra.runtime.CutReads;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.PassedMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What answers a read, of whichever release: a replica whose answers are not seen would be taken for a silent one. */
class AnsweredReadsTest {
    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    /** {@code REQUEST_RSP} answers whatever a node before 4.0 is asked. */
    @ParameterizedTest
    @EnumSource(names = {"READ_RSP", "RANGE_RSP", "REQUEST_RSP"})
    void eachIsCounted(Verb answer) {
        GuardFeature guard = new GuardFeature(
                GuardConfig.read(ConfigText.file("").section("guard")),
                new Cassandra50(),
                null,
                node(1),
                () -> CutReads.NONE,
                new Failures());
        WireHandlers handlers = new WireHandlers();
        guard.start(handlers);
        PassedMessages messages = new PassedMessages(handlers, node(2));
        messages.send(Verb.READ_REQ, 17);
        assertEquals(1, guard.statusOf(node(2)).unanswered());
        assertTrue(messages.receive(answer, 17), "it goes on to Cassandra");
        assertEquals(0, guard.statusOf(node(2)).unanswered());
    }
}
