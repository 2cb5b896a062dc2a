// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DisksOfNodesTest {
    private final DisksOfNodes<String> disks = new DisksOfNodes<>();

    @Test
    void aDiskServesWhatItsNodeHasToldLast() {
        assertEquals(1, disks.of("a"), "never heard of");
        disks.told("a", 4);
        disks.told("b", 2);
        assertEquals(4, disks.of("a"));
        disks.told("a", 3);
        assertEquals(3, disks.of("a"));
        disks.forget("a");
        assertEquals(1, disks.of("a"));
        assertEquals(2, disks.of("b"));
    }

    /** So that a coordinator that has just started goes by the same as the others. */
    @Test
    void whatANodeToldDoesNotStandWhileItKnowsNothing() {
        disks.told("a", 4);
        disks.told("a", DiskPlaces.NOT_KNOWN);
        assertEquals(1, disks.of("a"));
    }
}
