// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.MalformedReportException;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatReport;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.limit.AdmissionReport;
import dev.isotherm.queue.QueueDepth;
import dev.isotherm.warming.Invitation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What peers report is read as what it says, or is refused whole. */
class ReportsFromPeersTest {
    private static byte[] heats(SplittableRandom random) {
        HeatReport.Builder builder = new HeatReport.Builder();
        for (int table = random.nextInt(12); table > 0; table--) {
            builder.add(
                    random.nextLong(),
                    random.nextLong(),
                    Heat.ofCodes(1 + random.nextInt(3), random.nextInt(256)),
                    RequestRate.ofCode(random.nextInt(256)),
                    random.nextBoolean() ? null : Placement.AFFINITY);
        }
        return builder.encode();
    }

    @Test
    void reportsOfHeat() {
        MangledBytes.give(1, ReportsFromPeersTest::heats, bytes -> {
            HeatReport.Builder again = new HeatReport.Builder();
            try {
                int count = HeatReport.decode(bytes, (msb, lsb, heat, rate, vote) -> {
                    assertNotNull(heat);
                    again.add(msb, lsb, heat, rate, vote);
                });
                assertEquals(count, again.size());
                // Version 1, which is read too, has no rates, and votes for no table are not written.
                byte[] written = again.encode();
                if (bytes[0] == 2 && written.length == bytes.length && count * 19 + 2 == bytes.length) {
                    assertArrayEquals(bytes, written);
                }
                assertEquals(tables(bytes), tables(written));
                return true;
            } catch (MalformedReportException refused) {
                assertEquals(0, again.size(), "all or nothing");
                return false;
            }
        });
    }

    private static List<String> tables(byte[] report) throws MalformedReportException {
        List<String> tables = new ArrayList<>();
        HeatReport.decode(
                report,
                (msb, lsb, heat, rate, vote) -> tables.add(msb + " " + lsb + " " + heat + " " + rate + " " + vote));
        return tables;
    }

    private static byte[] admissions(SplittableRandom random) {
        AdmissionReport.Builder builder = new AdmissionReport.Builder();
        for (int entry = random.nextInt(12); entry > 0; entry--) {
            builder.add(random.nextLong(), random.nextInt(1, Integer.MAX_VALUE), random.nextInt(1, 1000) / 256.0);
        }
        return builder.encode();
    }

    @Test
    void reportsOfAdmissions() {
        MangledBytes.give(2, ReportsFromPeersTest::admissions, bytes -> {
            AdmissionReport.Builder again = new AdmissionReport.Builder();
            try {
                AdmissionReport.decode(bytes, again::add);
                assertArrayEquals(bytes, again.encode());
                return true;
            } catch (MalformedReportException refused) {
                assertEquals(0, again.size(), "all or nothing");
                return false;
            }
        });
    }

    private static byte[] invitation(SplittableRandom random) {
        Set<UUID> tables = new HashSet<>();
        for (int table = random.nextInt(12); table > 0; table--) {
            tables.add(new UUID(random.nextLong(), random.nextLong()));
        }
        return new Invitation(random.nextDouble(), tables).encode();
    }

    @Test
    void invitationsToCopyReads() {
        MangledBytes.give(4, ReportsFromPeersTest::invitation, bytes -> {
            try {
                Invitation read = Invitation.decode(bytes);
                assertTrue(read.fraction() > 0 && read.fraction() <= 1);
                assertTrue(read.tables().size() <= Invitation.MAX_TABLES);
                Invitation again = Invitation.decode(read.encode());
                assertEquals(read.tables(), again.tables());
                assertEquals(read.fraction(), again.fraction());
                return true;
            } catch (MalformedReportException refused) {
                return false;
            }
        });
    }

    @Test
    void depthsOfQueues() {
        MangledBytes.give(
                3,
                random -> QueueDepth.encode(random.nextInt(QueueDepth.MAX + 1), random.nextLong(1L << 36)),
                bytes -> {
                    int depth = QueueDepth.decode(bytes);
                    long serviceNanos = QueueDepth.decodeServiceNanos(bytes);
                    if (depth == QueueDepth.UNKNOWN) {
                        assertEquals(0, serviceNanos);
                        return false;
                    }
                    assertTrue(serviceNanos <= QueueDepth.MAX_SERVICE_NANOS);
                    assertArrayEquals(bytes, QueueDepth.encode(depth, serviceNanos));
                    return true;
                });
    }
}
