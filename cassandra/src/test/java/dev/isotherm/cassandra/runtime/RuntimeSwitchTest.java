// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuntimeSwitchTest {
    private final RuntimeSwitch enabled = new RuntimeSwitch(true);
    private final RuntimeSetting setting = enabled.setting("heat.enabled");

    @Test
    void itIsASettingThatIsTrueOrFalse() {
        assertEquals("heat.enabled", setting.name());
        assertEquals("true", setting.value());
        setting.change("FALSE");
        assertFalse(enabled.isOn());
        assertEquals("false", setting.value());
        setting.change("true");
        assertTrue(enabled.isOn());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "on", "1", "tru", " true"})
    void anythingElseIsRefusedAndChangesNothing(String value) {
        assertEquals(
                "true, false",
                assertThrows(IllegalArgumentException.class, () -> setting.change(value))
                        .getMessage());
        assertTrue(enabled.isOn());
    }

    @Test
    void aFeatureThatCouldNotStartStaysOffWhateverIsAskedOfIt() {
        enabled.breakOff("the feature could not start on this node; mend what its log says, and restart it");
        assertFalse(enabled.isOn());
        setting.change("false");
        String allowed = assertThrows(IllegalArgumentException.class, () -> setting.change("true"))
                .getMessage();
        assertEquals(
                "false, because the feature could not start on this node; mend what its log says, and restart it",
                allowed);
        assertFalse(enabled.isOn());
    }
}
