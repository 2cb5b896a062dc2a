// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CopySenderTest {
    private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final TableId ONE = TableId.fromUUID(new UUID(1, 1));
    private static final TableId OTHER = TableId.fromUUID(new UUID(1, 2));

    private final List<Set<TableId>> warmed = new ArrayList<>();

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    private CopySender sender(InetAddressAndPort stranger) {
        return new CopySender(
                node(1),
                null,
                null,
                any -> false,
                (any, replicas) -> true,
                any -> !any.equals(stranger),
                (any, tables) -> warmed.add(tables));
    }

    @Test
    void aNodeIsWarmedByWhatItAsksForUntilItsInvitationEnds() {
        CopySender sender = sender(null);
        long late = Long.MAX_VALUE - 5;
        sender.invited(node(2), 0.5, Set.of(ONE, OTHER), late);
        sender.expire(late + LIFE_NANOS - 1);
        assertEquals(List.of(Set.of(ONE, OTHER)), warmed);
        sender.expire(late + LIFE_NANOS);
        assertEquals(List.of(Set.of(ONE, OTHER), Set.of()), warmed, "it was not repeated");
        warmed.clear();
        sender.invited(node(2), 0.5, Set.of(ONE), late);
        sender.invited(node(2), 1, Set.of(), late + 1);
        sender.expire(late + LIFE_NANOS);
        assertEquals(List.of(Set.of(ONE), Set.of()), warmed, "it was taken back");
    }

    /** Clients' reads would spare a node that nothing warms. */
    @Test
    void aNodeThatCannotReadTheCopiesIsNotWarmed() {
        CopySender sender = sender(node(2));
        sender.invited(node(2), 0.5, Set.of(ONE), 0);
        sender.invited(node(3), 0.5, Set.of(ONE), 0);
        assertEquals(List.of(Set.of(), Set.of(ONE)), warmed);
    }

    @Test
    void norIsItByATableOfWhichTheLastReadCouldNotBeCopied() {
        UncopiedReads reads = new UncopiedReads();
        Set<TableId> both = Set.of(ONE, OTHER);
        assertEquals(both, reads.copiedOf(node(2), both));
        reads.notCopied(node(2), ONE);
        assertEquals(Set.of(OTHER), reads.copiedOf(node(2), both));
        assertEquals(both, reads.copiedOf(node(3), both));
        reads.copied(node(2), ONE);
        assertEquals(both, reads.copiedOf(node(2), both));
        reads.notCopied(node(2), ONE);
        reads.notCopied(node(2), OTHER);
        assertEquals(Set.of(), reads.copiedOf(node(2), Set.of(ONE)));
        assertEquals(Set.of(OTHER), reads.copiedOf(node(2), both), "asked for anew");
        reads.copiedOf(node(2), Set.of());
        assertEquals(both, reads.copiedOf(node(2), both), "asked for anew after it was warm");
        reads.notCopied(node(2), ONE);
        reads.forget(node(2));
        assertEquals(both, reads.copiedOf(node(2), both), "asked for anew after it was silent");
    }
}
