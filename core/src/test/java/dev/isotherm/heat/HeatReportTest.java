// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isotherm.common.MalformedReportException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HeatReportTest {
    private static final HeatReport.Consumer NONE = (msb, lsb, heat, rate, vote) -> {
        throw new AssertionError("nothing of a malformed report may be used");
    };

    /** The decoded report, one line per table. */
    static List<String> decoded(byte[] bytes) throws MalformedReportException {
        List<String> lines = new ArrayList<>();
        int count =
                HeatReport.decode(bytes, (msb, lsb, heat, rate, vote) -> lines.add(line(msb, lsb, heat, rate, vote)));
        assertEquals(count, lines.size());
        return lines;
    }

    static String line(long msb, long lsb, Heat heat, RequestRate rate, Placement vote) {
        return Long.toHexString(msb) + " " + Long.toHexString(lsb) + " " + heat + " " + rate + " " + vote;
    }

    static Heat anyHeat(SplittableRandom random) {
        return Heat.ofCodes(1 + random.nextInt(3), random.nextInt(256));
    }

    static RequestRate anyRate(SplittableRandom random) {
        return RequestRate.ofCode(random.nextInt(256));
    }

    private static Placement anyVote(SplittableRandom random) {
        return Placement.ofCode(random.nextInt(3));
    }

    static byte[] reportOf(int tables, SplittableRandom random) {
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

    static byte[] changed(byte[] bytes, int at, int value) {
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
                if (!hasMoreThanTables(bytes)) {
                    assertArrayEquals(bytes, again.encode());
                }
                read++;
            }
        }
        // A report with a changed value or id is still a report.
        assertEquals(true, read > 10_000);
    }

    private static boolean hasMoreThanTables(byte[] bytes) {
        for (int at = 2; at < bytes.length; at += 19) {
            long msb = ByteBuffer.wrap(bytes).getLong(at);
            if (ReportedVotes.isId(msb) || ReportedDisk.isId(msb)) {
                return true;
            }
        }
        return false;
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
