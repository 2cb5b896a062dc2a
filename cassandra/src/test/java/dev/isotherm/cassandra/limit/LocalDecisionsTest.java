// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.BucketLimiter;
import dev.isotherm.limit.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.dht.Token;
import org.junit.jupiter.api.Test;

class LocalDecisionsTest {
    /** At this limit one operation may follow another, but not a third. */
    private static final int TIGHT = 2;

    private static final int OPEN = Integer.MAX_VALUE;
    private static final int RANDOM = 0x12345678;

    private final RuntimeSwitch enabled = new RuntimeSwitch(true);
    private final AdmissionLedger<LimitedTable, Token> ledger = new AdmissionLedger<>(64, 7);
    private long nanos = TimeUnit.HOURS.toNanos(1);
    private int urgent;
    private final LocalDecisions decisions = new LocalDecisions(
            enabled,
            new BucketLimiter(1 << 16, BucketLimiter.DEFAULT_BURST_SECONDS, 42),
            ledger,
            () -> nanos,
            () -> urgent++);

    private final LimitedTable tight = LimitedTables.table("tight", TIGHT, TIGHT, false);
    private final LimitedTable closed = LimitedTables.table("closed", 0, 0, false);
    private final LimitedTable open = LimitedTables.table("open", OPEN, OPEN, false);

    private static TouchedPartition write(LimitedTable table, int key) {
        return LimitedTables.partition(table, Operation.WRITE, key);
    }

    /** The number of single operations that the partition admits now. */
    private int admits(TouchedPartition partition) {
        int admitted = 0;
        while (decisions.refused(List.of(partition), RANDOM) == null) {
            admitted++;
        }
        return admitted;
    }

    private List<String> told() {
        List<String> told = new ArrayList<>();
        ledger.drain((partition, limit, operations, table, token) ->
                told.add(table.metadata.name + " " + operations + " of " + limit));
        return told;
    }

    @Test
    void severalPartitionsAreAdmittedOrRefusedTogether() {
        assertNull(decisions.refused(List.of(write(tight, 1), write(open, 1), write(tight, 2)), RANDOM));
        TouchedPartition refused = write(closed, 3);
        assertSame(refused, decisions.refused(List.of(write(open, 1), refused, write(tight, 2)), RANDOM));
    }

    @Test
    void whatARefusedRequestHadCountedIsTakenBack() {
        int alone = admits(write(tight, 1));
        for (int i = 0; i < 100; i++) {
            assertSame(closed, decisions.refused(List.of(write(tight, 2), write(closed, 2)), RANDOM).table);
        }
        assertEquals(alone, admits(write(tight, 2)));
        assertTrue(alone > 0);
    }

    @Test
    void whatWasAdmittedCanBeTakenBackLater() {
        int alone = admits(write(tight, 1));
        for (int i = 0; i < 100; i++) {
            assertNull(decisions.refused(List.of(write(tight, 2)), RANDOM));
            decisions.takeBack(List.of(write(tight, 2)));
        }
        assertEquals(alone, admits(write(tight, 2)));
    }

    /** Where another partition of the request is refused elsewhere, the other replicas are not to hear of this one. */
    @Test
    void whatIsTakenBackBeforeItWasToldIsToldToNobody() {
        int alone = admits(write(tight, 1));
        told();
        for (int i = 0; i < 100; i++) {
            Decided decided = decisions.decide(List.of(write(tight, 2), write(open, 2)), RANDOM);
            assertNull(decided.refused);
            decisions.takeBack(decided);
        }
        assertEquals(List.of(), told());
        assertEquals(alone, admits(write(tight, 2)));
        told();
        decisions.tell(decisions.decide(List.of(write(tight, 3)), RANDOM));
        assertEquals(List.of("tight 1.0 of 2"), told());
    }

    /** What was not charged is not refunded: else a dry run would count too few. */
    @Test
    void whatADryRunWouldRefuseIsNotTakenBack() {
        LimitedTable tried = LimitedTables.table("tried", TIGHT, TIGHT, true);
        for (int i = 0; i < 10; i++) {
            decisions.takeBack(decisions.decide(List.of(write(tried, 1)), RANDOM));
        }
        assertEquals(0, tried.counts.wouldRejectWrites.sum());
        for (int i = 0; i < 20; i++) {
            decisions.refused(List.of(write(tried, 1)), RANDOM);
        }
        long before = tried.counts.wouldRejectWrites.sum();
        for (int i = 0; i < 10; i++) {
            decisions.takeBack(decisions.decide(List.of(write(tried, 1)), RANDOM));
        }
        assertEquals(before + 10, tried.counts.wouldRejectWrites.sum());
        // By a replica that was asked, and answered yes.
        for (int i = 0; i < 10; i++) {
            decisions.refused(List.of(write(tried, 1)), RANDOM);
            decisions.takeBack(List.of(write(tried, 1)));
        }
        assertEquals(before + 20, tried.counts.wouldRejectWrites.sum());
    }

    @Test
    void readsAndWritesAndKeysAndTablesAreApart() {
        int alone = admits(write(tight, 1));
        assertEquals(alone, admits(LimitedTables.partition(tight, Operation.READ, 1)));
        assertEquals(alone, admits(write(tight, 2)));
        assertEquals(alone, admits(write(LimitedTables.table("other", TIGHT, TIGHT, false), 1)));
        assertEquals(0, admits(write(tight, 1)));
    }

    @Test
    void othersAreToldWhatWentAheadAndNothingElse() {
        decisions.refused(List.of(write(tight, 1), write(closed, 1)), RANDOM);
        assertEquals(List.of(), told());
        assertEquals(0, urgent);
        decisions.refused(List.of(write(tight, 1)), RANDOM);
        assertEquals(List.of("tight 1.0 of 2"), told());
        assertEquals(1, urgent);
    }

    @Test
    void replicasThatAllDecideTellNobodyAndThoseOfAPartTellTheirPart() {
        decisions.refusedAmongOthers(List.of(write(tight, 1)), 1, RANDOM);
        assertEquals(List.of(), told());
        decisions.refusedAmongOthers(List.of(write(tight, 1)), 0.5, RANDOM);
        assertEquals(List.of("tight 0.5 of 2"), told());
    }

    @Test
    void whatOthersAdmittedCountsHere() {
        decisions.account(write(tight, 1).id, TIGHT, 10);
        assertEquals(0, admits(write(tight, 1)));
    }

    @Test
    void aDryRunRefusesNothingAndCountsWhatItWould() {
        LimitedTable tried = LimitedTables.table("tried", 0, 0, true);
        for (int i = 0; i < 5; i++) {
            assertNull(decisions.refused(List.of(write(tried, 1), write(open, 1)), RANDOM));
        }
        decisions.refused(List.of(LimitedTables.partition(tried, Operation.READ, 1)), RANDOM);
        assertEquals(5, tried.counts.wouldRejectWrites.sum());
        assertEquals(1, tried.counts.wouldRejectReads.sum());
        assertEquals(0, tried.counts.rejectedWrites.sum());
    }

    @Test
    void switchedOffItAdmitsEverythingAndCountsNothing() {
        enabled.set(false);
        for (int i = 0; i < 100; i++) {
            assertNull(decisions.refused(List.of(write(tight, 1), write(closed, 1)), RANDOM));
            assertNull(decisions.refusedAmongOthers(List.of(write(closed, 1)), 1, RANDOM));
        }
        assertEquals(List.of(), told());
        enabled.set(true);
        assertEquals(admits(write(tight, 2)), admits(write(tight, 1)));
    }

    @Test
    void timePaysOff() {
        int alone = admits(write(tight, 1));
        nanos += TimeUnit.SECONDS.toNanos(1) / TIGHT;
        assertEquals(1, admits(write(tight, 1)));
        nanos += TimeUnit.SECONDS.toNanos(60);
        assertEquals(alone, admits(write(tight, 1)));
    }
}
