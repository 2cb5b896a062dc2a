// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.MalformedReportException;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatReport;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class HeatPublisherTest {
    private static final int CARRIED = 32;
    private static final int GOSSIPED = 255;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final List<byte[]> gossip = new ArrayList<>();
    private final List<byte[]> responses = new ArrayList<>();
    private int nodes = 3;
    private int servedAtOnce;
    private final HeatPublisher publisher =
            new HeatPublisher(() -> nodes, () -> servedAtOnce, TableId::asUUID, gossip::add, responses::add);

    private static TableId table(int number) {
        return TableId.fromUUID(new UUID(7, number));
    }

    private static TableHeat heat(Heat heat, double localReads) {
        return new TableHeat(heat, null, RequestRate.perSecond(localReads), null);
    }

    private static Set<Integer> tablesIn(byte[] report) throws MalformedReportException {
        Set<Integer> tables = new HashSet<>();
        HeatReport.decode(report, (msb, lsb, heat, rate, vote) -> tables.add((int) lsb));
        return tables;
    }

    private static Set<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().collect(Collectors.toSet());
    }

    @Test
    void howManyReadsTheDiskServesIsToldWithTheHeats() throws MalformedReportException {
        Map<TableId, TableHeat> heats = Map.of(table(1), heat(Heat.costNanos(1e6), 100));
        publisher.offer(heats, 0);
        assertEquals(0, HeatReport.servedAtOnce(gossip.get(0)));
        servedAtOnce = 3;
        publisher.offer(heats, SECOND);
        assertEquals(3, HeatReport.servedAtOnce(responses.get(1)));
        assertEquals(Set.of(1), tablesIn(responses.get(1)));
    }

    /** The busiest are told, whether a ratio, a time or a cost says how warm they are. */
    @Test
    void ofTooManyTablesTheMostReadAreTold() throws MalformedReportException {
        Map<TableId, TableHeat> heats = new HashMap<>();
        for (int table = 1; table <= 300; table++) {
            // As far apart as the steps of the grid, so that no two rates are the same.
            double reads = Math.pow(2, table / 8.0 - 10);
            heats.put(
                    table(table),
                    table % 3 == 0
                            ? heat(Heat.missRatio(0.01), reads)
                            : heat(table % 3 == 1 ? Heat.costNanos(1e9) : Heat.readTimeNanos(1e8), reads));
        }
        publisher.offer(heats, 0);
        assertEquals(GOSSIPED, tablesIn(gossip.get(0)).size());
        assertEquals(CARRIED, tablesIn(responses.get(0)).size());
        assertEquals(numbers(301 - CARRIED, 301), tablesIn(responses.get(0)));
    }

    @Test
    void aTableForWhichThereIsNoRoomIsNoReasonToTell() {
        Map<TableId, TableHeat> heats = new HashMap<>();
        for (int table = 1; table <= 300; table++) {
            heats.put(table(table), heat(Heat.missRatio(0.1), table <= GOSSIPED ? 1000 : 10));
        }
        publisher.offer(heats, 0);
        heats.put(table(300), heat(Heat.missRatio(0.9), 10));
        publisher.offer(heats, SECOND);
        assertEquals(1, gossip.size());
        heats.put(table(1), heat(Heat.missRatio(0.9), 1000));
        publisher.offer(heats, 2 * SECOND);
        assertEquals(2, gossip.size());
    }

    @Test
    void aLargeClusterIsToldOfFewerTablesAndLessOften() throws MalformedReportException {
        nodes = 150;
        Map<TableId, TableHeat> heats = new HashMap<>();
        for (int table = 1; table <= 100; table++) {
            heats.put(table(table), heat(Heat.missRatio(0.1), table <= 40 ? 1000 : 10));
        }
        publisher.offer(heats, 0);
        assertEquals(numbers(1, 41), tablesIn(gossip.get(0)));
        heats.put(table(1), heat(Heat.missRatio(0.9), 1000));
        publisher.offer(heats, 4 * SECOND);
        assertEquals(1, gossip.size());
        assertEquals(2, responses.size(), "whoever reads here is told at once");
        publisher.offer(heats, 5 * SECOND);
        assertEquals(2, gossip.size());
    }

    @Test
    void aRateThatMovesByOneStepIsToldEachFiveSeconds() {
        RequestRate rate = RequestRate.perSecond(100);
        Map<TableId, TableHeat> heats = new HashMap<>();
        for (int second = 0; second < 20; second++) {
            RequestRate now = RequestRate.ofCode(rate.code() + second % 2);
            heats.put(table(1), new TableHeat(Heat.missRatio(0.1), now, rate, null));
            publisher.offer(heats, second * SECOND);
        }
        assertEquals(4, gossip.size());
    }

    /** Those of a node that does not vote are as full as ever; votes take the place of some tables. */
    @Test
    void onlyVotesTakeThePlaceOfTables() throws MalformedReportException {
        Map<TableId, TableHeat> heats = new HashMap<>();
        for (int table = 1; table <= 300; table++) {
            heats.put(table(table), heat(Heat.missRatio(0.01), 10));
        }
        publisher.offer(heats, 0);
        assertEquals(2 + 19 * GOSSIPED, gossip.get(0).length);
        assertEquals(GOSSIPED, tablesIn(gossip.get(0)).size());
        assertEquals(2 + 19 * CARRIED, responses.get(0).length);
        heats.replaceAll((table, heat) -> new TableHeat(heat.heat, heat.rate, heat.localReads, Placement.AFFINITY));
        publisher.offer(heats, 5 * SECOND);
        assertEquals(2 + 19 * GOSSIPED, gossip.get(1).length, "a vote is a reason to tell");
        assertEquals(GOSSIPED - 8, tablesIn(gossip.get(1)).size());
        assertEquals(2 + 19 * (CARRIED + 1), responses.get(1).length);
        assertEquals(CARRIED, tablesIn(responses.get(1)).size());
    }

    @Test
    void aRowCachedTableIsNotCrowdedOutByTablesWithTimes() throws MalformedReportException {
        Map<TableId, TableHeat> heats = new HashMap<>();
        heats.put(table(0), heat(Heat.missRatio(0.5), 1_000));
        for (int table = 1; table <= 300; table++) {
            heats.put(table(table), heat(Heat.costNanos(1e7), 10));
        }
        publisher.offer(heats, 0);
        assertTrue(tablesIn(gossip.get(0)).contains(0));
        assertTrue(tablesIn(responses.get(0)).contains(0));
    }

    @Test
    void tablesWhoseRateIsNotKnownYetComeLast() throws MalformedReportException {
        Map<TableId, TableHeat> heats = new HashMap<>();
        for (int table = 0; table < 2 * CARRIED; table++) {
            RequestRate rate = table % 2 == 0 ? null : RequestRate.perSecond(1);
            heats.put(table(table), new TableHeat(Heat.missRatio(0.5), null, rate, null));
        }
        publisher.offer(heats, 0);
        assertEquals(
                numbers(0, 2 * CARRIED).stream().filter(table -> table % 2 == 1).collect(Collectors.toSet()),
                tablesIn(responses.get(0)));
    }

    @Test
    void anUnchangedHeatIsToldAgainByGossipOnly() {
        Map<TableId, TableHeat> heats = Map.of(table(1), heat(Heat.missRatio(0.5), 10));
        publisher.offer(heats, 0);
        publisher.offer(heats, 10 * SECOND);
        assertEquals(1, gossip.size());
        assertEquals(1, responses.size());
        publisher.offer(heats, 30 * SECOND);
        assertEquals(2, gossip.size());
        assertArrayEquals(gossip.get(0), gossip.get(1));
    }

    @Test
    void aLargeChangeIsToldAtOnce() {
        publisher.offer(Map.of(table(1), heat(Heat.missRatio(0.5), 10)), 0);
        publisher.offer(Map.of(table(1), heat(Heat.missRatio(0.8), 10)), SECOND / 5);
        assertEquals(1, gossip.size(), "gossip has one round a second");
        assertEquals(2, responses.size());
        publisher.offer(Map.of(table(1), heat(Heat.missRatio(0.8), 10)), SECOND);
        assertEquals(2, gossip.size());
    }

    @Test
    void aNodeWithoutTrafficSaysThatItIsThere() throws MalformedReportException {
        publisher.offer(Map.of(), 0);
        assertEquals(Set.of(), tablesIn(gossip.get(0)));
        assertEquals(0, responses.size());
    }
}
