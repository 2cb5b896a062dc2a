// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The answers of replicas that a coordinator awaits to see whether a rejected write was applied. */
class AwaitedAnswersTest {
    private static final int MOST = 100_000;

    private final AwaitedAnswers awaited = new AwaitedAnswers();

    /** As the page on limits says: a paused replica must not cost a coordinator its heap. */
    @Test
    void thereAreNoMoreThanAHundredThousand() {
        WriteAnswers first = new WriteAnswers();
        awaited.sent(0, first);
        for (long message = 1; message <= MOST; message++) {
            awaited.sent(message, new WriteAnswers());
        }
        assertEquals(MOST, awaited.size());
        first.end(Outcome.NOT_REJECTED, 1, null);
        awaited.ended(first);
        assertEquals(MOST - 1, awaited.size());
        awaited.sent(MOST + 1, new WriteAnswers());
        assertEquals(MOST, awaited.size(), "there is room again");
    }
}
