// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Nodes that choose the placement of a table together, in virtual time. They look once a second, one after the other,
 * and hear each other's votes late and not each second.
 */
final class Voters {
    private static final long SECOND = 1_000_000_000L;
    private static final int HOUR = 3600;
    private static final String TABLE = "t";
    /** Two of three replicas; a message takes 0.4 ms, a miss 10. */
    private static final PlacementCosts COSTS = new PlacementCosts(2, 3, 10e6, 0.4e6, 0.02);

    final int nodes;
    final ChosenPlacement[] chosen;
    /** The reads of each node, per second. */
    final double[] reads;
    /** Whether the node's setting is auto; false is one that does not vote. */
    final boolean[] isAuto;

    /** Whether the network is cut between two nodes. */
    final boolean[][] isCut;

    private final boolean[] isUp;
    private final List<HeatBoard<String, Integer>> boards = new ArrayList<>();
    /** Votes by second and node. */
    private final List<Placement[]> told = new ArrayList<>();

    private final int[][] heardSecond;
    private final List<List<Integer>> changes = new ArrayList<>();
    private final SplittableRandom random;
    private final double loss;
    private final int mostLate;
    private Placement[] lastVotes;
    private int votedSecond;
    int second;

    /** What of a node's reads misses under its placement. */
    interface Misses {
        double ratio(int node, Placement inForce);
    }

    /**
     * @param loss the part of all seconds in which one node hears nothing of another
     * @param mostLate the most seconds by which what it hears is late
     */
    Voters(int nodes, Placement first, double loss, int mostLate, long seed) {
        this.nodes = nodes;
        this.loss = loss;
        this.mostLate = mostLate;
        this.random = new SplittableRandom(seed);
        this.chosen = new ChosenPlacement[nodes];
        this.reads = new double[nodes];
        this.isAuto = new boolean[nodes];
        this.isUp = new boolean[nodes];
        this.isCut = new boolean[nodes][nodes];
        this.heardSecond = new int[nodes][nodes];
        for (int node = 0; node < nodes; node++) {
            boards.add(null);
            changes.add(new ArrayList<>());
            reads[node] = 1000;
            begin(node, first);
            isAuto[node] = true;
        }
    }

    /** A new process. */
    void begin(int node, Placement inForce) {
        chosen[node] = new ChosenPlacement(inForce, second * SECOND);
        boards.set(node, new HeatBoard<>(90 * SECOND, BalanceSettings.defaults()));
        isUp[node] = true;
    }

    void stop(int node) {
        isUp[node] = false;
    }

    /** Whether a node knows of all others that are up. */
    boolean hasHeardAll(int node) {
        for (int other = 0; other < nodes; other++) {
            if (other != node && isUp[other] && boards.get(node).heatOf(TABLE, other, second * SECOND) == null) {
                return false;
            }
        }
        return true;
    }

    boolean allAre(Placement placement) {
        for (int node = 0; node < nodes; node++) {
            if (isUp[node] && isAuto[node] && chosen[node].inForce() != placement) {
                return false;
            }
        }
        return true;
    }

    boolean differ() {
        return !allAre(Placement.LOCAL) && !allAre(Placement.AFFINITY);
    }

    /** The seconds of a node's changes. */
    List<Integer> changes(int node) {
        return changes.get(node);
    }

    /** The second in which a vote of any node has changed last. */
    int votedSecond() {
        return votedSecond;
    }

    /** At most eight changes of a node are in any hour. */
    void checkChanges(int node) {
        for (int at : changes(node)) {
            long inHour = changes(node).stream()
                    .filter(other -> other > at - HOUR && other <= at)
                    .count();
            assertTrue(inHour <= 8, () -> "changes: " + changes(node));
        }
    }

    void pass(int seconds, Misses misses) {
        for (int end = second + seconds; second < end; ) {
            second++;
            Placement[] votes = new Placement[nodes];
            for (int node = 0; node < nodes; node++) {
                votes[node] = isUp[node] && isAuto[node] ? chosen[node].vote() : null;
            }
            told.add(votes);
            for (int node = 0; node < nodes; node++) {
                if (isUp[node] && isAuto[node]) {
                    look(node, misses);
                }
            }
            Placement[] after = Arrays.stream(chosen).map(ChosenPlacement::vote).toArray(Placement[]::new);
            votedSecond = Arrays.equals(after, lastVotes) ? votedSecond : second;
            lastVotes = after;
        }
    }

    /** As a node sees it. */
    private boolean isDown(int node, int other) {
        return !isUp[other] || isCut[node][other];
    }

    private void look(int node, Misses misses) {
        long now = second * SECOND;
        HeatBoard<String, Integer> board = boards.get(node);
        board.report(TABLE, node, Heat.missRatio(0.5), null, chosen[node].vote(), now);
        for (int other = 0; other < nodes; other++) {
            int of = second - random.nextInt(mostLate + 1);
            boolean isHeard = other != node && !isDown(node, other) && random.nextDouble() >= loss;
            if (isHeard && of >= Math.max(1, heardSecond[node][other])) {
                heardSecond[node][other] = of;
                board.report(TABLE, other, Heat.missRatio(0.5), null, told.get(of - 1)[other], now);
            }
        }
        PlacementVotes votes = board.votes(TABLE, any -> true, other -> isDown(node, other), now);
        int down = 0;
        for (int other = 0; other < nodes; other++) {
            down += isDown(node, other) ? 1 : 0;
        }
        votes.fillUpDownTo(down);
        votes.fillUpTo(nodes);
        SeenMisses seen = new SeenMisses(BalanceSettings.defaults());
        seen.addLookUps(misses.ratio(node, chosen[node].inForce()) * reads[node], reads[node]);
        if (chosen[node].look(votes, seen, COSTS, false, now)) {
            changes.get(node).add(second);
        }
    }
}
