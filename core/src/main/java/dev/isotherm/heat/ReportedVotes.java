// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The votes of a {@link HeatReport}: two bits for each table, in the order of the tables, 32 tables in an entry. Not
 * thread safe.
 */
final class ReportedVotes {
    /*
     * An entry has the form of a table's, so that nodes whose plugin knows no votes take the report as it is: they have
     * no table of that id, and drop its entry. The first half of the id says which tables the votes are of, the second
     * half holds them. No table has such an id: its version, the four bits F, is none that a UUID has.
     */
    private static final long FIRST_ID = 0x69736F746865F000L;
    private static final int TABLES = Long.SIZE / 2;
    static final int BLOCKS = (HeatReport.MAX_TABLES + TABLES - 1) / TABLES;

    private final long[] bits = new long[BLOCKS];

    /** The first half of the id of an entry. */
    static long idOf(int block) {
        return FIRST_ID + block;
    }

    /** Whether an entry with that first half of its id holds votes. */
    static boolean isId(long msb) {
        return msb >= FIRST_ID && msb < FIRST_ID + BLOCKS;
    }

    /** @param vote null for none */
    void set(int table, Placement vote) {
        if (vote != null) {
            bits[table / TABLES] |= (long) vote.code() << shift(table);
        }
    }

    /** What an entry holds of the votes for the first tables, so many; 0 for none. */
    long bits(int block, int tables) {
        int held = Math.max(0, Math.min(TABLES, tables - block * TABLES));
        return held == TABLES ? bits[block] : bits[block] & (1L << 2 * held) - 1;
    }

    /** The entries that hold votes for the first tables, so many. */
    int blocks(int tables) {
        int blocks = 0;
        for (int block = 0; block < BLOCKS; block++) {
            blocks += bits(block, tables) == 0 ? 0 : 1;
        }
        return blocks;
    }

    /** @param msb an id of votes */
    void setBits(long msb, long held) {
        bits[(int) (msb - FIRST_ID)] = held;
    }

    /** The vote for a table; null for none, and for one that is not known. */
    Placement of(int table) {
        return table >= TABLES * BLOCKS ? null : Placement.ofCode((int) (bits[table / TABLES] >>> shift(table)) & 3);
    }

    private static int shift(int table) {
        return 2 * (table % TABLES);
    }
}
