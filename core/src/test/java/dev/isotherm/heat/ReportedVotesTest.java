// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static dev.isotherm.heat.HeatReportTest.anyHeat;
import static dev.isotherm.heat.HeatReportTest.anyRate;
import static dev.isotherm.heat.HeatReportTest.changed;
import static dev.isotherm.heat.HeatReportTest.decoded;
import static dev.isotherm.heat.HeatReportTest.line;
import static dev.isotherm.heat.HeatReportTest.reportOf;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.MalformedReportException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The votes of a report, and what a report is without them. */
class ReportedVotesTest {
    /** The last tables give way to votes: to as many entries of them as there are. */
    @ParameterizedTest
    @CsvSource({
        "255, 0, 0, 255",
        "255, 0, 1, 254",
        "255, 40, 80, 253",
        "255, 0, 255, 247",
        "248, 0, 248, 247",
        "247, 0, 247, 247",
        "255, 254, 255, 254"
    })
    void theLastTablesGiveWayToVotes(int tables, int firstVote, int endOfVotes, int told)
            throws MalformedReportException {
        HeatReport.Builder builder = new HeatReport.Builder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < tables; i++) {
            Placement vote = i < firstVote || i >= endOfVotes ? null : Placement.ofCode(1 + i % 2);
            builder.add(7, i, Heat.missRatio(1), null, vote);
            expected.add(line(7, i, Heat.missRatio(1), null, i < told ? vote : null));
        }
        // Twice: what is left out stays in the builder.
        builder.encode();
        assertEquals(expected.subList(0, told), decoded(builder.encode()));
    }

    /** Of a node that does not vote: byte for byte what plugins wrote that knew no votes. */
    @Test
    void aReportWithoutVotesIsAsEver() {
        SplittableRandom random = new SplittableRandom(75);
        for (int tables = 0; tables <= 255; tables++) {
            HeatReport.Builder builder = new HeatReport.Builder();
            ByteBuffer asEver =
                    ByteBuffer.allocate(2 + 19 * tables).put((byte) 2).put((byte) tables);
            for (int i = 0; i < tables; i++) {
                long msb = random.nextLong();
                long lsb = random.nextLong();
                Heat heat = anyHeat(random);
                RequestRate rate = anyRate(random);
                builder.add(msb, lsb, heat, rate, null);
                asEver.putLong(msb)
                        .putLong(lsb)
                        .put((byte) heat.kindCode())
                        .put((byte) heat.code())
                        .put((byte) (rate == null ? 0 : rate.code()));
            }
            assertArrayEquals(asEver.array(), builder.encode());
        }
    }

    /** What such plugins require of a report, or they drop it whole: these entries, each with its own id. */
    @Test
    void aReportWithVotesIsReadByPluginsThatKnowNone() {
        SplittableRandom random = new SplittableRandom(76);
        for (int tables = 0; tables <= 255; tables++) {
            ByteBuffer report = ByteBuffer.wrap(reportOf(tables, random));
            assertEquals(2, report.get());
            int entries = report.get() & 0xff;
            assertEquals(19 * entries, report.remaining());
            Set<UUID> ids = new HashSet<>();
            for (int entry = 0; entry < entries; entry++) {
                assertTrue(ids.add(new UUID(report.getLong(), report.getLong())));
                assertNotNull(Heat.ofCodes(report.get() & 0xff, report.get() & 0xff));
                report.get();
            }
        }
    }

    /** A plugin that knows no votes drops what is of no table that it has. */
    @Test
    void withoutTheEntriesOfVotesAReportIsAsEver() {
        byte[] voting = new HeatReport.Builder()
                .add(7, 8, Heat.missRatio(1), RequestRate.NONE, Placement.LOCAL)
                .add(7, 9, Heat.costNanos(1e6), null, Placement.AFFINITY)
                .encode();
        byte[] silent = new HeatReport.Builder()
                .add(7, 8, Heat.missRatio(1), RequestRate.NONE, null)
                .add(7, 9, Heat.costNanos(1e6))
                .encode();
        assertArrayEquals(silent, changed(Arrays.copyOf(voting, silent.length), 1, 2));
        assertEquals(0xF, new UUID(ByteBuffer.wrap(voting).getLong(silent.length), 0).version(), "no table's id");
    }

    @Test
    void votesThatAreNotKnownOrOfNoTableAreNone() throws MalformedReportException {
        byte[] voting = new HeatReport.Builder()
                .add(7, 8, Heat.missRatio(1), null, Placement.LOCAL)
                .encode();
        assertEquals(List.of(line(7, 8, Heat.missRatio(1), null, Placement.LOCAL)), decoded(voting));
        assertEquals(List.of(line(7, 8, Heat.missRatio(1), null, null)), decoded(changed(voting, 36, 3)));
        assertEquals(List.of(line(7, 8, Heat.missRatio(1), null, null)), decoded(changed(voting, 36, 0xF0)));
        byte[] ofOthers = changed(voting, 28, 7);
        assertEquals(List.of(line(7, 8, Heat.missRatio(1), null, null)), decoded(ofOthers));
        byte[] ofNone = changed(voting, 28, 8);
        assertEquals(2, decoded(ofNone).size(), "an id like any other's");
    }
}
