// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

/** Hooks of the plugin that throw, at each call. */
final class BrokenHooks implements Hooks.Fault {
    @Override
    public void befall(String hook) {
        throw new IllegalStateException("broken by the lab: " + hook);
    }
}
