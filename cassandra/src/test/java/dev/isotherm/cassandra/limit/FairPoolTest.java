// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.common.RunningClock;
import dev.isotherm.limit.Operation;
import dev.isotherm.share.FairShare;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;

class FairPoolTest {
    private final RuntimeSwitch enabled = new RuntimeSwitch(true);
    private final LimitsInForce limits = new LimitsInForce(new Failures());
    private final FairShareSwitch mode = new FairShareSwitch(FairShareMode.OFF, enabled);
    private final RunningClock clock = new RunningClock(FairShare.LATE_NANOS, FairShare.LATE_NANOS, 0);
    private final FairPool reads = new FairPool(Stage.READ, "reads", mode, limits, 1, clock);
    private final RuntimeSetting setting = mode.setting();
    private final TouchedPartition partition =
            LimitedTables.partition(LimitedTables.table("t", 1, 1, false), Operation.READ, 1);
    private final TableMetadata table = partition.table.metadata;

    @Test
    void offMeansThatNothingIsMeasuredOrRefused() {
        assertFalse(reads.isToBeLookedAt());
        reads.look(0);
        assertFalse(reads.isOn());
        assertNull(reads.watched(partition.id));
        assertNull(reads.refusing(table, partition.token, partition.id, 0, 1));
        reads.served(table, partition.id, 1_000_000);
        assertEquals("off", setting.value());
        assertEquals("limit.fair_share", setting.name());
        assertTrue(setting.isKeepable());
    }

    @Test
    void theModeIsChangedWhileTheNodeRuns() {
        setting.change("dry_run");
        reads.look(1);
        assertTrue(reads.isOn());
        assertEquals("dry_run", setting.value());
        setting.change("ON");
        assertEquals("on", setting.value());
        setting.change("off");
        assertTrue(reads.isToBeLookedAt(), "what it has cut is to be let go");
        reads.look(2);
        assertFalse(reads.isOn());
        assertFalse(reads.isToBeLookedAt());
        assertThrows(IllegalArgumentException.class, () -> setting.change("perhaps"));
    }

    @Test
    void theSwitchOfAllLimitsSwitchesItOff() {
        setting.change("on");
        reads.look(1);
        assertTrue(reads.isOn());
        enabled.set(false);
        assertFalse(reads.isOn(), "at once, whenever the next look is");
        assertNull(reads.isSaturated());
        assertNull(reads.watched(partition.id));
        assertNull(reads.refusing(table, partition.token, partition.id, 0, 1));
        enabled.set(true);
        assertTrue(reads.isOn());
        enabled.set(false);
        reads.look(2);
        enabled.set(true);
        assertFalse(reads.isOn(), "what was known is let go");
    }

    @Test
    void anIdOfReadsIsThatOfTheLimits() {
        assertEquals(partition.id, TouchedPartition.idOfReads(table, partition.token));
    }

    @Test
    void theMessageNamesTheTableTheOperationAndTheShares() {
        assertEquals(
                "Fair share exceeded: a partition of ks.t held 62 % of the time of the threads that serve reads on a"
                        + " saturated replica and may hold 13 % (limit.fair_share)",
                new FairShareRejection(table, Operation.READ, 0.62, 0.125).getMessage());
    }
}
