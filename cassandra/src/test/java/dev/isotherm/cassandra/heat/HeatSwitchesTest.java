// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigText;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Placement;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class HeatSwitchesTest {
    private static final TableId FIRST = TableId.fromUUID(new UUID(1, 1));
    private static final TableId SECOND = TableId.fromUUID(new UUID(1, 2));

    private final HeatConfig config = HeatConfig.read(ConfigText.file("").section("heat"));
    private final HeatSwitches switches = new HeatSwitches(true, BalanceSettings.defaults(), PlacementChoice.LOCAL);

    /** As an operator does. */
    private void change(String key, String value) {
        config.changeable().change("heat." + key, value, changed -> switches.use(changed.balance, changed.placement));
    }

    private Placement of(TableId table) {
        return switches.balanceOf(table).settings().placement();
    }

    @Test
    void oneValueIsForAllTablesKnownOrNot() {
        TableBalance first = switches.balanceOf(FIRST);
        change("placement", "Affinity");
        assertSame(first, switches.balanceOf(FIRST));
        assertSame(Placement.AFFINITY, of(FIRST));
        assertSame(first.settings(), switches.balanceOf(SECOND).settings(), "one object for each placement");
        assertEquals("affinity", config.changeable().valueOf("heat.placement"));
    }

    @Test
    void theNodesChooseForEachTableFromWhatItHad() {
        change("placement", "affinity");
        switches.balanceOf(FIRST);
        change("placement", "auto");
        assertEquals("auto", config.changeable().valueOf("heat.placement"));
        assertSame(PlacementChoice.AUTO, switches.choice());
        assertSame(Placement.AFFINITY, of(FIRST));
        switches.choose(FIRST, Placement.LOCAL);
        assertSame(Placement.LOCAL, of(FIRST));
        assertSame(Placement.AFFINITY, of(SECOND));
        change("placement", "affinity");
        assertSame(Placement.AFFINITY, of(FIRST));
    }

    @Test
    void anotherKeyLeavesWhatTheNodesHaveChosen() {
        change("placement", "auto");
        switches.choose(FIRST, Placement.AFFINITY);
        long since = switches.balanceOf(FIRST).sinceMillis();
        BalanceSettings before = switches.balanceOf(SECOND).settings();
        change("miss_floor", "0.1");
        assertSame(Placement.AFFINITY, of(FIRST));
        assertEquals(0.1, switches.balanceOf(FIRST).settings().missFloor());
        assertEquals(since, switches.balanceOf(FIRST).sinceMillis());
        assertNotSame(before, switches.balanceOf(SECOND).settings(), "plans are made anew");
        assertSame(switches.balance(), switches.balanceOf(SECOND).settings());
        switches.choose(SECOND, Placement.AFFINITY);
        assertSame(
                switches.balanceOf(FIRST).settings(), switches.balanceOf(SECOND).settings());
    }

    @Test
    void whatTheNodesHaveChosenLateDoesNotCount() {
        assertFalse(switches.choose(FIRST, Placement.AFFINITY), "no line in the log says that it is in force");
        assertSame(Placement.LOCAL, of(FIRST));
        change("placement", "auto");
        assertTrue(switches.choose(FIRST, Placement.AFFINITY));
    }

    @Test
    void aForgottenTableBeginsAnew() {
        change("placement", "auto");
        switches.choose(FIRST, Placement.AFFINITY);
        switches.forgetTable(FIRST);
        assertSame(Placement.LOCAL, of(FIRST));
    }

    @Test
    void otherWordsAreRefusedWithThoseThatAreAllowed() {
        for (String wrong : new String[] {"", "near", "auto,local"}) {
            String message = assertThrows(IllegalArgumentException.class, () -> change("placement", wrong))
                    .getMessage();
            assertEquals("local, affinity or auto", message);
        }
        assertEquals("auto", config.changeable().valueOf("heat.placement"));
    }
}
