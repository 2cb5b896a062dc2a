// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/** How a coordinator uses a replica, as far as its heat does not say. */
public enum Standing {
    /** By its heat alone. */
    USED,
    /** Warmed by copies of the coordinator's reads: it is {@linkplain SparedReplicas spared}. */
    WARMED,
    /** Left out of the coordinator's reads, now or {@linkplain LeftOutNodes lately}. */
    LEFT_OUT;

    /** All of them used. */
    public static Standing[] used(int replicas) {
        Standing[] standings = new Standing[replicas];
        Arrays.fill(standings, USED);
        return standings;
    }
}
