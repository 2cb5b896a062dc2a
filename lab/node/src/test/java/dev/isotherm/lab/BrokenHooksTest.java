// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class BrokenHooksTest {
    /** As the plugin's: what counts failures. */
    private static final class Failures {
        int count;
    }

    private static final class Hook {
        private final IntSupplier needed = () -> 7;
        private final Failures failures = new Failures();
        private final int plain = 3;

        int called() {
            try {
                return needed.getAsInt() + plain;
            } catch (NullPointerException e) {
                failures.count++;
                throw e;
            }
        }
    }

    private static final class Snitch {
        private final Hook hook = new Hook();
        private final Hook absent = null;
        private final Supplier<String> foreign = () -> "theirs";
    }

    private final Snitch snitch = new Snitch();
    private final BrokenHooks hooks = new BrokenHooks(snitch, getClass().getName() + "$Hook");

    @Test
    void aBrokenHookThrowsAndStillCountsIt() throws IllegalAccessException {
        assertEquals(1, hooks.breakAll());
        assertThrows(NullPointerException.class, snitch.hook::called);
        assertEquals(1, snitch.hook.failures.count);
        assertEquals("theirs", snitch.foreign.get());
    }

    @Test
    void aMendedHookDoesWhatItDid() throws IllegalAccessException {
        hooks.breakAll();
        hooks.mend();
        assertEquals(10, snitch.hook.called());
    }

    @Test
    void brokenTwiceItIsMendedAtOnce() throws IllegalAccessException {
        hooks.breakAll();
        hooks.breakAll();
        hooks.mend();
        assertEquals(10, snitch.hook.called());
    }

    @Test
    void aSnitchThatIsNotThePluginsHasNoHooks() throws IllegalAccessException {
        assertEquals(0, new BrokenHooks(new Object()).breakAll());
        assertEquals(0, new BrokenHooks(snitch).breakAll());
    }
}
