// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DisksOfNodesTest {
    private static final String[] GROUP = {"a", "b", "c"};

    private final DisksOfNodes<String> disks = new DisksOfNodes<>();

    @Test
    void theLeastOfThoseThatAreKnown() {
        assertEquals(1, disks.leastOf(GROUP), "none is");
        disks.told("a", 4);
        disks.told("d", 2);
        assertEquals(4, disks.leastOf(GROUP));
        disks.told("c", 3);
        assertEquals(3, disks.leastOf(GROUP));
        disks.forget("c");
        assertEquals(4, disks.leastOf(GROUP));
    }

    @Test
    void whatANodeToldStandsWhileItKnowsNothing() {
        disks.told("a", 4);
        disks.told("a", DiskPlaces.NOT_KNOWN);
        assertEquals(4, disks.leastOf(GROUP));
        disks.told("a", 1);
        assertEquals(1, disks.leastOf(GROUP));
    }
}
