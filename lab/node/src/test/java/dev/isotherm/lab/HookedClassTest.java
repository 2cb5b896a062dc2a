// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.queue.CounterUpdateInterceptor;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.wire.LocalReadSubscriber;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HookedClassTest {
    /** Defines one class with the calls in it. */
    private static final class Hooking extends ClassLoader {
        Runnable instance(Class<? extends Runnable> plain) throws Exception {
            String name = plain.getName().replace('.', '/');
            assertTrue(HookedClass.isHooked(name));
            byte[] code = HookedClass.hooked(name, codeOf(plain));
            Class<?> hooked = defineClass(plain.getName(), code, 0, code.length);
            return (Runnable) hooked.getDeclaredConstructor().newInstance();
        }

        private static byte[] codeOf(Class<?> plain) throws IOException {
            try (InputStream file = plain.getResourceAsStream(plain.getSimpleName() + ".class")) {
                return file.readAllBytes();
            }
        }
    }

    @AfterEach
    void mend() {
        Hooks.mend();
    }

    @Test
    void aHookThrowsAtEverySecondCallUntilItIsMended() throws Exception {
        Runnable hooked = new Hooking().instance(CounterUpdateInterceptor.class);
        hooked.run();
        Hooks.suffer(new BrokenHooks());
        for (Class<? extends Throwable> kind :
                List.of(IllegalStateException.class, AssertionError.class, NoSuchMethodError.class)) {
            assertThrows(kind, hooked::run);
            hooked.run();
        }
        assertEquals(6, Hooks.calls().get("CounterUpdateInterceptor.before"));
        Hooks.mend();
        hooked.run();
        assertEquals(5, hooked.getClass().getField("calls").get(hooked));
    }

    @Test
    void whatAFeatureHasGivenThrowsWhereThePluginCatchesIt() throws Exception {
        throwsWhereItIsCaught(PeriodicTask.class, "task", "Nothing is measured");
    }

    @Test
    void theEndOfALocalReadThrowsWhereThePluginCatchesIt() throws Exception {
        throwsWhereItIsCaught(LocalReadSubscriber.class, "ended", "It is not sampled");
    }

    private static void throwsWhereItIsCaught(Class<? extends Runnable> type, String given, String whenItFails)
            throws Exception {
        Runnable hooked = new Hooking().instance(type);
        Hooks.suffer(new BrokenHooks());
        hooked.run();
        String hook = given + " (" + whenItFails + ")";
        assertEquals(1, Hooks.calls().get(hook));
        assertEquals(whenItFails + ": java.lang.IllegalStateException: broken by the lab: " + hook, hooked.toString());
    }

    @Test
    void aHookThatWasNotCalledIsKnownToBeOne() {
        Hooks.suffer(hook -> {});
        assertEquals(0, Hooks.calls().get("ReplicaOrdering.order"));
        assertFalse(Hooks.calls().containsKey("StatementReader.failed"), "called only where something fails");
    }

    @Test
    void otherClassesStayAsTheyAre() {
        assertFalse(HookedClass.isHooked("dev/isotherm/IsothermSnitch"));
        assertFalse(HookedClass.isHooked("org/apache/cassandra/locator/SimpleSnitch"));
    }
}
