// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** What a read costs a replica by its heat, and which costs of a group count as equal. */
final class ReplicaCosts {
    /** Miss ratios no further apart than this count as equal. */
    private static final double EQUAL_RATIOS = 0.01;
    /*
     * Costs no further apart than this part of the highest count as equal. Those of equal nodes differ by what chance
     * leaves in them, by a step or two of their grid, and by whose draws they serve: a node whose groups draw at random
     * misses up to a quarter more than one whose groups keep the operator's fixed order (those are up to a fifth below
     * these). A band that is not wider than that holds a node that is warm again to random draws, which keep it outside
     * the band.
     *
     * Whether costs are equal depends on nothing but these costs, and not on the plan before: coordinators that know
     * the same costs agree, whenever they made their plans. Where one draws by costs and the others keep the operator's
     * order, reads are neither equal nor by their costs.
     */
    private static final double EQUAL_PART = 0.3;

    private ReplicaCosts() {}

    /** Misses per read, or nanoseconds; a read time up to a warm read's counts as a warm read's. */
    static double of(Heat heat, BalanceSettings settings) {
        return heat.kind() == Heat.Kind.READ_TIME ? Math.max(heat.value(), settings.warmReadNanos()) : heat.value();
    }

    /** The least cost that counts: for times, a part of the highest of the group. */
    static double floor(Heat.Kind kind, double highest, BalanceSettings settings) {
        return kind == Heat.Kind.MISS_RATIO ? settings.missFloor() : settings.missFloor() * highest;
    }

    /** Whether costs from the least to the highest count as equal. */
    static boolean areEqual(Heat.Kind kind, double least, double highest) {
        double ratios = kind == Heat.Kind.MISS_RATIO ? EQUAL_RATIOS : 0;
        return highest - least <= Math.max(ratios, EQUAL_PART * highest);
    }
}
