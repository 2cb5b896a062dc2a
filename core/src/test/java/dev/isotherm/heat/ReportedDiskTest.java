// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isotherm.common.MalformedReportException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReportedDiskTest {
    private static HeatReport.Builder tables(int count, Placement vote) {
        HeatReport.Builder builder = new HeatReport.Builder();
        for (int table = 0; table < count; table++) {
            builder.add(1, table, Heat.missRatio(0.5), null, vote);
        }
        return builder;
    }

    private static List<Long> tablesIn(byte[] report) throws MalformedReportException {
        List<Long> tables = new ArrayList<>();
        HeatReport.decode(report, (msb, lsb, heat, rate, vote) -> tables.add(lsb));
        return tables;
    }

    /** With the tables and their votes; of a full report one table is left out for it. */
    @Property(tries = 300, seed = "104")
    void theNumberComesBackAndSoDoTheTables(
            @ForAll @IntRange(min = 0, max = 255) int count,
            @ForAll @IntRange(min = 0, max = DiskPlaces.MOST) int served,
            @ForAll boolean votes)
            throws MalformedReportException {
        byte[] report = tables(count, votes ? Placement.AFFINITY : null)
                .servedAtOnce(served)
                .encode();
        assertEquals(served, HeatReport.servedAtOnce(report));
        int others = (served == DiskPlaces.NOT_KNOWN ? 0 : 1) + (votes ? (count + 31) / 32 : 0);
        assertEquals(Math.min(count, 255 - others), tablesIn(report).size());
    }

    @Test
    void anImpossibleNumberIsMalformed() {
        for (long served : new long[] {0, -1, Long.MIN_VALUE}) {
            String said = assertThrows(MalformedReportException.class, () -> tablesIn(told(served)))
                    .getMessage();
            assertEquals("a disk that serves " + served + " reads side by side; possible: 1 or above", said);
        }
        assertThrows(IllegalArgumentException.class, () -> new HeatReport.Builder().servedAtOnce(-1));
        assertThrows(IllegalArgumentException.class, () -> new HeatReport.Builder().servedAtOnce(17));
    }

    /** Another version may tell more numbers apart; its heats are as good as those of this one. */
    @Test
    void moreThanAreToldApartCountAsTheMost() throws MalformedReportException {
        for (long served : new long[] {DiskPlaces.MOST + 1, 1L << 32, Long.MAX_VALUE}) {
            assertEquals(DiskPlaces.MOST, HeatReport.servedAtOnce(told(served)));
        }
    }

    private static byte[] told(long served) {
        byte[] report = tables(0, null).servedAtOnce(1).encode();
        ByteBuffer.wrap(report).putLong(2 + Long.BYTES, served);
        return report;
    }

    /** As nodes read it that know of no disk: the entry of a table that they do not have. */
    @Test
    void theEntryHasTheFormOfATable() {
        byte[] report = tables(1, null).servedAtOnce(3).encode();
        assertEquals(2 + 2 * 19, report.length);
        assertEquals(2, report[1]);
        assertEquals(0x69736F746865F100L, ByteBuffer.wrap(report).getLong(2 + 19));
        assertEquals(1, report[2 + 19 + 16], "a miss ratio");
        assertEquals(0, report[2 + 19 + 17]);
        // The version of a UUID is none that a table has.
        assertEquals(15, new java.util.UUID(0x69736F746865F100L, 3).version());
    }
}
