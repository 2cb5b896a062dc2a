// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import java.lang.reflect.InvocationTargetException;
import org.apache.cassandra.locator.IEndpointSnitch;

/** Calls by name the methods that snitches have only in later releases than the plugin is compiled against. */
final class LaterSnitchMethods {
    private LaterSnitchMethods() {}

    static boolean preferLocalConnections(IEndpointSnitch snitch) {
        return Boolean.TRUE.equals(call(snitch, "preferLocalConnections"));
    }

    static void configureAddresses(IEndpointSnitch snitch) {
        call(snitch, "configureAddresses");
    }

    /** The result of the method without parameters; null if the snitch has no method of that name. */
    private static Object call(IEndpointSnitch snitch, String method) {
        try {
            return snitch.getClass().getMethod(method).invoke(snitch);
        } catch (NoSuchMethodException e) {
            return null;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
