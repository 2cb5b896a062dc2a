// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Comparator;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Calls by name the methods that snitches have only in later releases than the plugin is compiled against. */
final class LaterSnitchMethods {
    private LaterSnitchMethods() {}

    static boolean preferLocalConnections(IEndpointSnitch snitch) {
        return Boolean.TRUE.equals(call(snitch, "preferLocalConnections"));
    }

    static void configureAddresses(IEndpointSnitch snitch) {
        call(snitch, "configureAddresses");
    }

    static boolean supportCompareByEndpoint(IEndpointSnitch snitch) {
        return Boolean.TRUE.equals(call(snitch, "supportCompareByEndpoint"));
    }

    /** The addresses are an object here: earlier releases do not have their class. */
    static Comparator<?> endpointComparator(IEndpointSnitch snitch, InetAddressAndPort address, Object addresses) {
        return (Comparator<?>) call(snitch, "endpointComparator", address, addresses);
    }

    /** The result of the method; null if snitches have no method of that name. */
    private static Object call(IEndpointSnitch snitch, String name, Object... arguments) {
        try {
            // Of the interface: the class need not be public.
            for (Method method : IEndpointSnitch.class.getMethods()) {
                if (method.getName().equals(name)) {
                    return method.invoke(snitch, arguments);
                }
            }
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
