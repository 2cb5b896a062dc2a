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
        final RequestRate rate;
        final Placement vote;
        final long heard;

        Entry(Heat heat, RequestRate rate, Placement vote, long heard) {
            this.heat = heat;
            this.rate = rate;
            this.vote = vote;
            this.heard = heard;
        }

        boolean says(Heat otherHeat, RequestRate otherRate, Placement otherVote) {
            return heat == otherHeat && rate == otherRate && vote == otherVote;
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
                // An equal version means equal heats, rates and votes, apart from ageing.
                String beliefs = beliefs(table);
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
            Entry before = model.get(List.of(table, node));
            Entry told = told(random, before, now);
            boolean same = before != null && before.says(told.heat, told.rate, told.vote) && now - before.heard < STALE;
            assertEquals(!same, board.report(table, node, told.heat, told.rate, told.vote, now));
            model.put(List.of(table, node), told);
        } else if (kind < 94) {
            board.restarted(node, now);
            for (int t : List.copyOf(board.tables())) {
                model.put(List.of(t, node), new Entry(cold(t, node), null, null, now));
            }
        } else if (kind < 97) {
            board.forget(node);
            model.keySet().removeIf(key -> key.get(1) == node);
        } else {
            board.forgetTable(table);
            model.keySet().removeIf(key -> key.get(0) == table);
        }
    }

    /** Any report; often what the node has told before, but for one of the three. */
    private static Entry told(SplittableRandom random, Entry before, long now) {
        int changes = before == null ? 3 : random.nextInt(5);
        Heat heat = Heat.ofCodes(1 + random.nextInt(3), random.nextInt(3));
        RequestRate rate = random.nextInt(3) == 0 ? null : RequestRate.ofCode(random.nextInt(3));
        Placement vote = random.nextInt(3) == 0 ? null : Placement.values()[random.nextInt(2)];
        return new Entry(
                changes == 0 || changes == 3 ? heat : before.heat,
                changes == 1 || changes == 3 ? rate : before.rate,
                changes == 2 || changes == 3 ? vote : before.vote,
                now);
    }

    /** In the kind of most others; its own breaks a tie, and then the first of them. */
    private Heat cold(int table, int node) {
        Heat.Kind most = null;
        int mostVotes = -1;
        for (Heat.Kind kind : Heat.Kind.values()) {
            int votes = 0;
            for (int other = 0; other < 4; other++) {
                Entry entry = model.get(List.of(table, other));
                votes += entry == null || entry.heat.kind() != kind ? 0 : other == node ? 1 : 2;
            }
            if (votes > mostVotes) {
                mostVotes = votes;
                most = kind;
            }
        }
        return most == Heat.Kind.MISS_RATIO
                ? Heat.missRatio(1)
                : most == Heat.Kind.COST ? Heat.costNanos(1e7) : Heat.readTimeNanos(1e7);
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
                boolean isKnown = entry != null && now - entry.heard < STALE;
                assertEquals(isKnown ? entry.heat : null, board.heatOf(table, node, now));
                assertEquals(isKnown ? entry.rate : null, board.rateOf(table, node, now));
                assertEquals(isKnown ? entry.vote : null, board.voteOf(table, node, now));
            }
            assertEquals(Set.copyOf(nodes), board.nodes(table));
            assertEquals(nodes.isEmpty(), !board.tables().contains(table));
            assertEquals(nodes.isEmpty(), board.version(table) == 0);
        }
    }

    private String beliefs(int table) {
        StringBuilder beliefs = new StringBuilder();
        for (int node = 0; node < 4; node++) {
            Entry entry = model.get(List.of(table, node));
            beliefs.append(entry == null ? "none" : entry.heat + "," + entry.rate + "," + entry.vote)
                    .append(';');
        }
        return beliefs.toString();
    }
}
