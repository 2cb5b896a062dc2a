// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** The source of a draw's random number, which decides whether a partition always meets the same replicas. */
public enum Placement {
    /**
     * A fresh random number per read; the coordinator serves as many reads as its share allows (least network traffic).
     */
    LOCAL,
    /** A hash of the partition's token: a partition keeps meeting the same replicas (least memory). */
    AFFINITY;

    /** The code on the wire: 1 or 2; 0 is none. */
    int code() {
        return ordinal() + 1;
    }

    /** The placement of a code from the wire; null for any other number. */
    static Placement ofCode(int code) {
        return code < 1 || code > values().length ? null : values()[code - 1];
    }
}
