// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Calls by name the methods that snitches have only in later releases than the plugin is compiled against. */
final class LaterSnitchMethods {
    // Looked up once: transactions of 6.0 ask for the order of nodes again and again.
    private static final Method PREFER_LOCAL_CONNECTIONS = method("preferLocalConnections");
    private static final Method CONFIGURE_ADDRESSES = method("configureAddresses");
    private static final Method SUPPORT_COMPARE_BY_ENDPOINT = method("supportCompareByEndpoint");
    private static final Method ENDPOINT_COMPARATOR = method("endpointComparator");

    private LaterSnitchMethods() {}

    static boolean preferLocalConnections(IEndpointSnitch snitch) {
        return Boolean.TRUE.equals(call(snitch, PREFER_LOCAL_CONNECTIONS));
    }

    static void configureAddresses(IEndpointSnitch snitch) {
        call(snitch, CONFIGURE_ADDRESSES);
    }

    static boolean supportCompareByEndpoint(IEndpointSnitch snitch) {
        return Boolean.TRUE.equals(call(snitch, SUPPORT_COMPARE_BY_ENDPOINT));
    }

    /** The addresses are an object here: earlier releases do not have their class. */
    static Comparator<?> endpointComparator(IEndpointSnitch snitch, InetAddressAndPort address, Object addresses) {
        return (Comparator<?>) call(snitch, ENDPOINT_COMPARATOR, address, addresses);
    }

    /** The method of that name; null if snitches have none in this release. */
    private static Method method(String name) {
        // Of the interface: the class need not be public.
        return Arrays.stream(IEndpointSnitch.class.getMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The result of the method; null if snitches have none such. */
    private static Object call(IEndpointSnitch snitch, Method method, Object... arguments) {
        try {
            return method == null ? null : method.invoke(snitch, arguments);
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
