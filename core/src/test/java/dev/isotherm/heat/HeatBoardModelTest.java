// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The board compared with the simplest equivalent: one map, with every answer computed from scratch. */
class HeatBoardModelTest {
    private static final long STALE = 100;

    private static final class Entry {
        final Heat heat;
        final long heard;

        Entry(Heat heat, long heard) {
            this.heat = heat;
            this.heard = heard;
        }
    }

    private final Map<List<Integer>, Entry> model = new HashMap<>();
    private final HeatBoard<Integer, Integer> board = new HeatBoard<>(STALE, BalanceSettings.defaults());

    @Property(tries = 500, seed = "91")
    void agreesWithAMap(@ForAll long seed) {
        model.clear();
        for (Integer table : List.copyOf(board.tables())) {
            board.forgetTable(table);
        }
        SplittableRandom random = new SplittableRandom(seed);
        long now = random.nextLong();
        Map<Integer, String> beliefsAtVersion = new HashMap<>();
        Map<Integer, Long> versions = new HashMap<>();
        for (int step = 0; step < 200; step++) {
            now += random.nextInt(20);
            step(random, now);
            assertAgrees(now);
            for (int table = 0; table < 3; table++) {
                // An equal version means equal heats, apart from ageing.
                String beliefs = heats(table);
                if (versions.getOrDefault(table, -1L) == board.version(table)) {
                    assertEquals(beliefsAtVersion.get(table), beliefs);
                }
                versions.put(table, board.version(table));
                beliefsAtVersion.put(table, beliefs);
            }
        }
    }

    private void step(SplittableRandom random, long now) {
        int table = random.nextInt(3);
        int node = random.nextInt(4);
        int kind = random.nextInt(100);
        if (kind < 90) {
            Heat heat = Heat.ofCodes(1 + random.nextInt(2), random.nextInt(3));
            Entry before = model.get(List.of(table, node));
            boolean same = before != null && before.heat == heat && now - before.heard < STALE;
            assertEquals(!same, board.report(table, node, heat, now));
            model.put(List.of(table, node), new Entry(heat, now));
        } else if (kind < 94) {
            board.restarted(node, now);
            for (int t : List.copyOf(board.tables())) {
                model.put(List.of(t, node), new Entry(cold(t, node), now));
            }
        } else if (kind < 97) {
            board.forget(node);
            model.keySet().removeIf(key -> key.get(1) == node);
        } else {
            board.forgetTable(table);
            model.keySet().removeIf(key -> key.get(0) == table);
        }
    }

    private Heat cold(int table, int node) {
        int difference = 0;
        for (int other = 0; other < 4; other++) {
            Entry entry = model.get(List.of(table, other));
            if (other != node && entry != null) {
                difference += entry.heat.kind() == Heat.Kind.READ_TIME ? 1 : -1;
            }
        }
        Entry own = model.get(List.of(table, node));
        boolean time = difference > 0 || (difference == 0 && own != null && own.heat.kind() == Heat.Kind.READ_TIME);
        return time ? Heat.readTimeNanos(1e7) : Heat.missRatio(1);
    }

    private void assertAgrees(long now) {
        for (int table = 0; table < 3; table++) {
            List<Integer> nodes = new ArrayList<>();
            for (int node = 0; node < 4; node++) {
                Entry entry = model.get(List.of(table, node));
                if (entry != null) {
                    nodes.add(node);
                }
                assertEquals(entry == null ? -1 : now - entry.heard, board.ageNanos(table, node, now));
                assertEquals(
                        entry == null || now - entry.heard >= STALE ? null : entry.heat,
                        board.heatOf(table, node, now));
            }
            assertEquals(Set.copyOf(nodes), board.nodes(table));
            assertEquals(nodes.isEmpty(), !board.tables().contains(table));
            assertEquals(nodes.isEmpty(), board.version(table) == 0);
        }
    }

    private String heats(int table) {
        StringBuilder heats = new StringBuilder();
        for (int node = 0; node < 4; node++) {
            Entry entry = model.get(List.of(table, node));
            heats.append(entry == null ? "none" : entry.heat).append(';');
        }
        return heats.toString();
    }
}
