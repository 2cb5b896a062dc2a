// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/**
 * The Java agent that has the plugin's classes call {@link Hooks} where Cassandra calls the plugin, or lets
 * {@link Plug} exchange Cassandra's query handler; a system property says which.
 */
public final class HookAgent {
    private static final String HOOKS = "isotherm.lab.hooks";

    private HookAgent() {}

    /** Called by the virtual machine before the node starts. */
    public static void premain(String ignored, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(
                    ClassLoader loader, String name, Class<?> again, ProtectionDomain domain, byte[] code) {
                if (name == null) {
                    return null;
                }
                if (System.getProperty(HOOKS) != null) {
                    return HookedClass.isHooked(name) ? HookedClass.hooked(name, code) : null;
                }
                return name.equals(ExchangeableHandler.CLASS) ? ExchangeableHandler.in(code) : null;
            }
        });
    }
}
