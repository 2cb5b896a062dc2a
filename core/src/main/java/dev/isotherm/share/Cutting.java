// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** How far the large partitions of a node are cut; in the order of what holds for all of those that are cut. */
enum Cutting {
    /** None is cut. */
    NONE,
    /** Each has the share to which none is cut further. */
    TO_THE_LEAST,
    /** Each that has more may not hold more by its table's choice: the others do not use what it leaves. */
    BY_CHOICE,
    /** Some have more than the least, and would get more of a larger pool. */
    SOME;

    /** Whether threads may be idle because of it: what the others ask for may be all that they get of a larger pool. */
    boolean leavesThreadsIdle() {
        return this == TO_THE_LEAST || this == BY_CHOICE;
    }

    /** How far all are cut, these and another one. */
    Cutting and(Cutting another) {
        return compareTo(another) >= 0 ? this : another;
    }
}
