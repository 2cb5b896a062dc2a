// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

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

class AdmissionReportTest {
    private static final AdmissionReport.Consumer NONE = (partition, limit, operations) -> {
        throw new AssertionError("nothing of a malformed report may be used");
    };

    private static List<String> decoded(byte[] bytes) throws MalformedReportException {
        List<String> lines = new ArrayList<>();
        int count = AdmissionReport.decode(
                bytes, (partition, limit, operations) -> lines.add(line(partition, limit, operations)));
        assertEquals(count, lines.size());
        return lines;
    }

    private static String line(long partition, int limit, double operations) {
        return Long.toHexString(partition) + " " + limit + " " + operations;
    }

    private static void assertMalformed(String message, byte[] bytes) {
        assertEquals(
                message,
                assertThrows(MalformedReportException.class, () -> AdmissionReport.decode(bytes, NONE))
                        .getMessage());
    }

    @Test
    void theBytesAreAsDocumented() {
        byte[] expected = ByteBuffer.allocate(33)
                .put((byte) 1)
                .putLong(0x0102030405060708L)
                .putInt(100)
                .putInt(0x180)
                .putLong(-2)
                .putInt(Integer.MAX_VALUE)
                .putInt(-1)
                .array();
        assertArrayEquals(
                expected,
                new AdmissionReport.Builder()
                        .add(0x0102030405060708L, 100, 1.5)
                        .add(-2, Integer.MAX_VALUE, 1e300)
                        .encode());
    }

    @Test
    void everyNumberOfEntriesComesBack() throws MalformedReportException {
        SplittableRandom random = new SplittableRandom(1);
        for (int entries = 0; entries < 200; entries++) {
            AdmissionReport.Builder builder = new AdmissionReport.Builder();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < entries; i++) {
                long partition = random.nextInt(4) == 0 ? 7 : random.nextLong();
                int limit = random.nextInt(1, Integer.MAX_VALUE);
                double operations = random.nextLong(1, 1L << 32) / 256.0;
                builder.add(partition, limit, operations);
                expected.add(line(partition, limit, operations));
            }
            assertEquals(entries, builder.size());
            assertEquals(expected, decoded(builder.encode()));
        }
    }

    @Test
    void operationsAreRoundedToOne256thButNeverToNothing() throws MalformedReportException {
        AdmissionReport.Builder builder = new AdmissionReport.Builder();
        for (double operations : new double[] {1 / 3.0, 1e-9, Double.MIN_VALUE, 0.0059, Double.POSITIVE_INFINITY}) {
            builder.add(1, 1, operations);
        }
        assertEquals(
                List.of(
                        "1 1 0.33203125",
                        "1 1 0.00390625",
                        "1 1 0.00390625",
                        "1 1 0.0078125",
                        "1 1 1.677721599609375E7"),
                decoded(builder.encode()));
    }

    @Test
    void whatCannotBeSaidIsRefused() {
        AdmissionReport.Builder builder = new AdmissionReport.Builder();
        for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> builder.add(1, limit, 1));
        }
        for (double operations : new double[] {0, -1, Double.NaN}) {
            assertThrows(IllegalArgumentException.class, () -> builder.add(1, 1, operations));
        }
        assertEquals(0, builder.size());
    }

    @Test
    void aReportHoldsSoManyEntriesAndNoMore() throws MalformedReportException {
        AdmissionReport.Builder builder = new AdmissionReport.Builder();
        for (int i = 0; i < AdmissionReport.MAX_ENTRIES; i++) {
            builder.add(i, 1, 1);
        }
        assertThrows(IllegalStateException.class, () -> builder.add(1, 1, 1));
        byte[] bytes = builder.encode();
        assertEquals(AdmissionReport.MAX_ENTRIES, decoded(bytes).size());
        byte[] more = Arrays.copyOf(bytes, bytes.length + 16);
        System.arraycopy(bytes, 1, more, bytes.length, 16);
        assertMalformed("65537 entries; allowed: at most 65536", more);
    }

    @Test
    void malformedReportsSayWhatIsWrong() {
        byte[] good = new AdmissionReport.Builder().add(1, 10, 1).add(2, 20, 2).encode();
        assertMalformed("no bytes", null);
        assertMalformed("0 bytes; a report has at least 1", new byte[0]);
        byte[] version = good.clone();
        version[0] = (byte) 200;
        assertMalformed("version 200; known: 1", version);
        assertMalformed("32 bytes; 1 entries take 17", Arrays.copyOf(good, 32));
        byte[] limit = good.clone();
        limit[1 + 16 + 8] = (byte) 0x80;
        assertMalformed("limit -2147483628 of entry 1; allowed: 1 or above", limit);
        byte[] operations = good.clone();
        operations[1 + 14] = 0;
        assertMalformed("no operations in entry 0", operations);
    }

    @Test
    void noBytesWhateverDoAnythingButDecodeOrSaySo() {
        SplittableRandom random = new SplittableRandom(2);
        int malformed = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(80)];
            random.nextBytes(bytes);
            if (bytes.length > 0 && random.nextInt(10) > 0) {
                bytes[0] = 1;
            }
            try {
                AdmissionReport.decode(bytes, (partition, limit, operations) -> {
                    if (limit < 1 || !(operations > 0 && operations <= 1 << 24)) {
                        throw new AssertionError(line(partition, limit, operations));
                    }
                });
            } catch (MalformedReportException expected) {
                malformed++;
            }
        }
        assertEquals(1, malformed / 20_000.0, 0.1);
    }
}
