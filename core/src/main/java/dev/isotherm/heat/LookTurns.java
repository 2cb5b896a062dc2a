// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which of many tables are looked at in each round: those that are read often, those at rest in turns. Used by one
 * thread.
 *
 * @param <T> a table, by which it is found in a set
 */
public final class LookTurns<T> {
    /*
     * Most of thousands of tables are at rest: nothing was read since they were last looked at. What is measured of
     * these only fades, and one that is read again is seen when its turn comes, at most ten rounds later, so that a
     * round takes a time that grows little with the number of tables. Up to a hundred each has its turn in each round.
     * Those that are read have one in each cycle, of five rounds at most: with five rounds a second, in each second, of
     * what is smoothed over three. A cycle keeps its length to its end, however many tables are read meanwhile.
     */
    private static final int TABLES_A_ROUND = 100;
    private static final int MOST_ROUNDS_AT_REST = 10;
    private static final int READ_TABLES_A_ROUND = 200;
    private static final int MOST_ROUNDS_READ = 5;

    /** All tables, as of the beginning of these turns. */
    private List<T> tables = List.of();
    /** Those of them that were read when they were last looked at. */
    private Set<T> read = new LinkedHashSet<>();

    private int turns = 1;
    private int turn = turns;
    private int turnsOfRead = 1;
    private int turnOfRead = turnsOfRead;
    private int round;
    /** That of the last time at which these were asked to rest. */
    private int roundBefore;

    /**
     * One round: looks at the tables whose turn it is, at each once.
     *
     * @param all all tables that there are; asked at the beginning of the turns of those at rest
     * @param follow told all tables, if they were asked for, before any is looked at
     * @param look looks at a table; whether it is still there and was read since it was last looked at
     */
    public void next(Supplier<List<T>> all, Consumer<Collection<T>> follow, Predicate<T> look) {
        round++;
        if (turn == turns) {
            turn = 0;
            tables = all.get();
            turns = Math.min(MOST_ROUNDS_AT_REST, 1 + tables.size() / TABLES_A_ROUND);
            read.retainAll(new HashSet<>(tables));
            follow.accept(tables);
        }
        Set<T> before = read;
        read = new LinkedHashSet<>();
        if (turnOfRead == turnsOfRead) {
            turnOfRead = 0;
            turnsOfRead = Math.min(MOST_ROUNDS_READ, 1 + before.size() / READ_TABLES_A_ROUND);
        }
        for (T table : before) {
            // By what stays the same: places in the set shift as tables come to rest.
            boolean isDue = Math.floorMod(table.hashCode(), turnsOfRead) == turnOfRead;
            if (!isDue || look.test(table)) {
                read.add(table);
            }
        }
        turnOfRead++;
        int from = (int) ((long) tables.size() * turn / turns);
        turn++;
        int to = (int) ((long) tables.size() * turn / turns);
        for (T table : tables.subList(from, to)) {
            if (!before.contains(table) && look.test(table)) {
                read.add(table);
            }
        }
    }

    /** Whether in the last round the turns of the tables that are read ended. */
    public boolean haveLookedAtAllRead() {
        return turnOfRead == turnsOfRead;
    }

    /** Lets go of the tables until the next round, unless there was one since the last call: these may be dropped. */
    public void restUnlessUsed() {
        if (round == roundBefore) {
            tables = List.of();
            read = new LinkedHashSet<>();
            turn = turns;
        }
        roundBefore = round;
    }
}
