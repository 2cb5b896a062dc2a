// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.LogLines;
import dev.isotherm.common.RunningClock;
import dev.isotherm.limit.Operation;
import dev.isotherm.share.FairShare;
import dev.isotherm.share.WatchedPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairShareLogTest {
    private static final int THREADS = 32;

    private final TouchedPartition partition =
            LimitedTables.partition(LimitedTables.table("t", 1, 1, false), Operation.READ, 1);
    private final FairShareLog log = new FairShareLog("reads");
    private final FairShare shares =
            new FairShare(64, 1, log, new RunningClock(FairShare.LATE_NANOS, FairShare.LATE_NANOS, 0), 0);
    private int looks;

    /** Half of the threads serve the partition, for which three times as many operations ask. */
    private void cut() {
        for (int i = 0; i < 20 && shares.cut().isEmpty(); i++) {
            for (int ask = 0; ask < 3 * THREADS / 2; ask++) {
                shares.refusing(partition.id, 1, 0, 1);
            }
            for (int thread = 0; thread < THREADS / 2; thread++) {
                shares.served(partition.id, FairShare.INTERVAL_NANOS);
            }
            shares.servedOther(FairShare.INTERVAL_NANOS * THREADS / 2);
            shares.look(50_000_000, THREADS, THREADS, ++looks * FairShare.INTERVAL_NANOS);
        }
        assertFalse(shares.cut().isEmpty());
    }

    private void comes() {
        if (log.isUntold(partition.id)) {
            WatchedPartition watched = shares.watched(partition.id);
            log.came(watched, partition.table.metadata, partition.token);
        }
    }

    private static void assertLines(List<String> lines, String... ends) {
        assertEquals(ends.length, lines.size(), lines + "");
        for (int i = 0; i < ends.length; i++) {
            assertTrue(lines.get(i).matches(ends[i]), lines.get(i));
        }
    }

    @Test
    void oneLineWhenACutBeginsAndOneWhenItEnds() {
        assertLines(
                LogLines.of("dev.isotherm", () -> {
                    comes();
                    cut();
                    comes();
                    comes();
                    log.endAll();
                }),
                "The partition of ks\\.t, token .* for which reads wait, and may hold \\d+ %",
                "All reads of the partition of .* are admitted again");
        assertEquals(1, log.cuts());
    }

    @Test
    void aDryRunSaysWhatItWouldCut() {
        log.enforce(false);
        assertLines(
                LogLines.of("dev.isotherm", () -> {
                    cut();
                    comes();
                    log.endAll();
                }),
                "The partition of .* and might hold \\d+ %: in a dry run all are served",
                "All reads of the partition of .* would be admitted again");
    }

    /** Whoever switches a dry run to enforcement sees when it bites, and the other way round. */
    @Test
    void aCutThatIsEnforcedInTheMiddleIsToldAgain() {
        log.enforce(false);
        assertLines(
                LogLines.of("dev.isotherm", () -> {
                    cut();
                    comes();
                    log.enforce(true);
                    comes();
                    log.enforce(false);
                    comes();
                }),
                "The partition of .*: in a dry run all are served",
                "The partition of .* and may hold \\d+ %",
                "All reads of the partition of .* are admitted again",
                "The partition of .*: in a dry run all are served");
    }
}
