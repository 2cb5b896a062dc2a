// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/** How a coordinator uses a replica, as far as its heat does not say. */
public enum Standing {
    /** By its heat alone. */
    USED,
    /** Copies of the coordinator's reads warm it: it is {@linkplain SparedReplicas spared}. */
    WARMED,
    /** The coordinator leaves it out of its reads, or did so {@linkplain LeftOutNodes lately}. */
    LEFT_OUT;

    /** So many replicas that are used. */
    public static Standing[] used(int replicas) {
        Standing[] standings = new Standing[replicas];
        Arrays.fill(standings, USED);
        return standings;
    }
}
