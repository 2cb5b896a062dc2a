// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
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

class HeatReportTest {
    private static final HeatReport.Consumer NONE = (msb, lsb, heat, rate, vote) -> {
        throw new AssertionError("nothing of a malformed report may be used");
    };

    /** The decoded report, one line per table. */
    private static List<String> decoded(byte[] bytes) throws MalformedReportException {
        List<String> lines = new ArrayList<>();
        int count =
                HeatReport.decode(bytes, (msb, lsb, heat, rate, vote) -> lines.add(line(msb, lsb, heat, rate, vote)));
        assertEquals(count, lines.size());
        return lines;
    }

    private static String line(long msb, long lsb, Heat heat, RequestRate rate, Placement vote) {
        return Long.toHexString(msb) + " " + Long.toHexString(lsb) + " " + heat + " " + rate + " " + vote;
    }

    private static Heat anyHeat(SplittableRandom random) {
        return Heat.ofCodes(1 + random.nextInt(3), random.nextInt(256));
    }

    private static RequestRate anyRate(SplittableRandom random) {
        return RequestRate.ofCode(random.nextInt(256));
    }

    private static Placement anyVote(SplittableRandom random) {
        return Placement.ofCode(random.nextInt(3));
    }

    private static byte[] reportOf(int tables, SplittableRandom random) {
        HeatReport.Builder builder = new HeatReport.Builder();
        for (int i = 0; i < tables; i++) {
            builder.add(random.nextLong(), random.nextLong(), anyHeat(random), anyRate(random), anyVote(random));
        }
        return builder.encode();
    }

    @Test
    void theBytesAreAsDocumented() {
        byte[] expected = ByteBuffer.allocate(59)
                .put((byte) 2)
                .put((byte) 3)
                .putLong(0x0102030405060708L)
                .putLong(-2)
                .put((byte) 1)
                .put((byte) 255)
                .put((byte) 0)
                .putLong(0x0102030405060708L)
                .putLong(3)
                .put((byte) 2)
                .put((byte) 0)
                .put((byte) 10)
                .putLong(0x69736F746865F000L)
                .putLong(8)
                .put((byte) 1)
                .put((byte) 0)
                .put((byte) 0)
                .array();
        assertArrayEquals(
                expected,
                new HeatReport.Builder()
                        .add(0x0102030405060708L, -2, Heat.missRatio(1))
                        .add(
                                0x0102030405060708L,
                                3,
                                Heat.readTimeNanos(1e4),
                                RequestRate.perSecond(0.2),
                                Placement.AFFINITY)
                        .encode());
    }

    @Test
    void everyNumberOfTablesComesBack() throws MalformedReportException {
        SplittableRandom random = new SplittableRandom(71);
        for (int tables = 0; tables <= 255; tables++) {
            HeatReport.Builder builder = new HeatReport.Builder();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < tables; i++) {
                long msb = random.nextInt(3);
                long lsb = random.nextLong();
                Heat heat = anyHeat(random);
                RequestRate rate = anyRate(random);
                Placement vote = tables % 2 == 0 && tables <= 247 ? anyVote(random) : null;
                builder.add(msb, lsb, heat, rate, vote);
                expected.add(line(msb, lsb, heat, rate, vote));
            }
            assertEquals(tables, builder.size());
            byte[] bytes = builder.encode();
            if (tables % 2 == 1 || tables > 247) {
                assertEquals(2 + 19 * tables, bytes.length, "as ever, without votes");
            }
            assertEquals(expected, decoded(bytes));
        }
    }

    @Test
    void aReportHoldsEachTableOnceAndAtMost255() {
        HeatReport.Builder builder = new HeatReport.Builder().add(1, 2, Heat.missRatio(0.5));
        IllegalArgumentException twice =
                assertThrows(IllegalArgumentException.class, () -> builder.add(1, 2, Heat.missRatio(0.7)));
        assertEquals("table is 00000000000000010000000000000002; allowed: each table once", twice.getMessage());
        assertThrows(IllegalArgumentException.class, () -> builder.add(1, 3, null));
        for (int i = 1; i < 255; i++) {
            builder.add(2, i, Heat.missRatio(0));
        }
        assertThrows(IllegalStateException.class, () -> builder.add(3, 0, Heat.missRatio(0)));
        assertEquals(255, builder.size());
    }

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

    @Test
    void malformedReportsSayWhatIsWrong() {
        byte[] good = new HeatReport.Builder()
                .add(7, 8, Heat.missRatio(1))
                .add(7, 9, Heat.missRatio(0))
                .encode();
        assertMalformed("no bytes", null);
        assertMalformed("0 bytes; a report has at least 2", new byte[0]);
        assertMalformed("1 bytes; a report has at least 2", new byte[1]);
        assertMalformed("version 0; known: 1, 2", changed(good, 0, 0));
        assertMalformed("version 255; known: 1, 2", changed(good, 0, 255));
        assertMalformed("40 bytes; 2 tables take 38", changed(good, 0, 1));
        assertMalformed("40 bytes; 3 tables take 59", changed(good, 1, 3));
        assertMalformed("41 bytes; 2 tables take 40", Arrays.copyOf(good, 41));
        String first = String.format("%032x", new java.math.BigInteger(1, Arrays.copyOfRange(good, 2, 18)));
        for (int kind : new int[] {0, 4, 16, 255}) {
            assertMalformed(
                    "kind " + kind + " of table " + first + "; known: 1 (miss ratio), 2 (read time), 3 (cost)",
                    changed(good, 18, kind));
        }
        byte[] twice = good.clone();
        System.arraycopy(good, 2, twice, 21, 16);
        assertMalformed("table " + first + " is there twice", twice);
    }

    private static byte[] changed(byte[] bytes, int at, int value) {
        byte[] changed = bytes.clone();
        changed[at] = (byte) value;
        return changed;
    }

    private static void assertMalformed(String message, byte[] bytes) {
        assertEquals(
                message,
                assertThrows(MalformedReportException.class, () -> HeatReport.decode(bytes, NONE))
                        .getMessage());
    }

    @Test
    void noCutReportIsRead() {
        byte[] good = reportOf(9, new SplittableRandom(73));
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThrows(MalformedReportException.class, () -> HeatReport.decode(cut, NONE));
        }
    }

    @Test
    void aReportWithoutRatesIsRead() throws MalformedReportException {
        byte[] bytes = ByteBuffer.allocate(38)
                .put((byte) 1)
                .put((byte) 2)
                .putLong(7)
                .putLong(8)
                .put((byte) 1)
                .put((byte) 255)
                .putLong(7)
                .putLong(9)
                .put((byte) 2)
                .put((byte) 0)
                .array();
        assertEquals(
                List.of(line(7, 8, Heat.missRatio(1), null, null), line(7, 9, Heat.readTimeNanos(1e4), null, null)),
                decoded(bytes));
        assertMalformed("39 bytes; 2 tables take 38", Arrays.copyOf(bytes, 39));
    }

    /** Any bytes are either refused as malformed or exactly the bytes that a builder would write. */
    @Test
    void randomBytesAreRefusedOrMeanOneReport() throws MalformedReportException {
        SplittableRandom random = new SplittableRandom(74);
        int read = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = round % 2 == 0 ? noise(random) : mutated(random);
            HeatReport.Builder again = new HeatReport.Builder();
            try {
                HeatReport.decode(bytes, again::add);
            } catch (MalformedReportException refused) {
                assertEquals(0, again.size(), "all of a report is checked before any of it is used");
                continue;
            }
            if (bytes[0] == 2) {
                assertEquals(decoded(bytes), decoded(again.encode()));
                if (!hasVotes(bytes)) {
                    assertArrayEquals(bytes, again.encode());
                }
                read++;
            }
        }
        // A report with a changed value or id is still a report.
        assertEquals(true, read > 10_000);
    }

    private static boolean hasVotes(byte[] bytes) {
        for (int at = 2; at < bytes.length; at += 19) {
            if (ReportedVotes.isId(ByteBuffer.wrap(bytes).getLong(at))) {
                return true;
            }
        }
        return false;
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

    /** More tables than a node writes, which its reader takes all the same. */
    @Test
    void aFullReportIsRead() throws MalformedReportException {
        byte[] full = new byte[2 + 19 * 255];
        full[0] = 2;
        full[1] = (byte) 255;
        for (int entry = 0; entry < 255; entry++) {
            full[2 + 19 * entry + 15] = (byte) entry;
            full[2 + 19 * entry + 16] = 1;
        }
        ByteBuffer.wrap(full).putLong(2, 0x69736F746865F007L).putLong(10, -1);
        assertEquals(254, decoded(full).size());
    }

    private static byte[] noise(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(80)];
        random.nextBytes(bytes);
        // Valid first bytes often enough to reach the later checks.
        if (bytes.length > 0 && random.nextInt(4) > 0) {
            bytes[0] = 2;
        }
        if (bytes.length > 1 && random.nextInt(4) > 0) {
            bytes[1] = (byte) (bytes.length / 19);
        }
        return bytes;
    }

    private static byte[] mutated(SplittableRandom random) {
        byte[] bytes = reportOf(random.nextInt(5), random);
        for (int change = random.nextInt(3); change >= 0; change--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(5) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 20)) : bytes;
    }
}
