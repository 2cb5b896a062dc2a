// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class PlacementChoiceTest {
    @Test
    void aPlacementIsReadInAnyCaseAndLanguage() {
        Locale before = Locale.getDefault();
        try {
            // In Turkish the capital of i is another letter.
            Locale.setDefault(new Locale("tr", "TR"));
            assertSame(PlacementChoice.AFFINITY, PlacementChoice.parse("affinity"));
            assertSame(PlacementChoice.AFFINITY, PlacementChoice.parse(" AffiNity "));
            assertSame(PlacementChoice.LOCAL, PlacementChoice.parse("LOCAL"));
            assertSame(PlacementChoice.AUTO, PlacementChoice.parse("Auto"));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void anotherPlacementIsRefused() {
        for (String bad : new String[] {"", "near", "local,affinity"}) {
            assertEquals(
                    "'" + bad + "' is not one of local, affinity or auto",
                    assertThrows(IllegalArgumentException.class, () -> PlacementChoice.parse(bad))
                            .getMessage());
        }
    }
}
