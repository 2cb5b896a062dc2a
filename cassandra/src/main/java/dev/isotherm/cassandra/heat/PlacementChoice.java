// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.Placement;
import java.util.Locale;

/** The setting {@code heat.placement}. */
enum PlacementChoice {
    LOCAL(Placement.LOCAL),
    AFFINITY(Placement.AFFINITY),
    /** The nodes vote for the placement of each table. */
    AUTO(null);

    /** What may be set. */
    static final String ALLOWED = "local, affinity or auto";

    private final Placement placement;

    PlacementChoice(Placement placement) {
        this.placement = placement;
    }

    static PlacementChoice of(Placement placement) {
        return placement == Placement.LOCAL ? LOCAL : AFFINITY;
    }

    /** The placement of all tables; null where the nodes choose. */
    Placement placement() {
        return placement;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException for anything else than {@link #ALLOWED}, in any case */
    static PlacementChoice parse(String text) {
        try {
            return valueOf(text.trim().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not one of " + ALLOWED, e);
        }
    }
}
