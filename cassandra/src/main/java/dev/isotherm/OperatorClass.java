// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import java.lang.reflect.InvocationTargetException;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.IEndpointSnitch;

/**
 * Instantiates the classes that the operator names in {@code isotherm.yaml}.
 *
 * <p>Cassandra's own methods for this differ in signature between release lines; these methods work in all of them.
 */
final class OperatorClass {
    private static final String CASSANDRAS_SNITCHES = "org.apache.cassandra.locator.";

    private OperatorClass() {}

    /**
     * The operator's own snitch.
     *
     * @param name a class name, or the bare name of one of Cassandra's
     * @throws ConfigurationException when there is no such snitch, or it cannot be instantiated
     */
    static IEndpointSnitch snitch(String name) {
        if (name.equals(IsothermSnitch.class.getName()) || name.equals(IsothermSnitch.class.getSimpleName())) {
            throw refusal(
                    "snitch",
                    name,
                    ", it cannot wrap itself",
                    "the snitch the cluster used before, such as GossipingPropertyFileSnitch");
        }
        String className = name.contains(".") ? name : CASSANDRAS_SNITCHES + name;
        return made(
                "snitch",
                name,
                className,
                IEndpointSnitch.class,
                "the class name of a snitch, or the bare name of one of Cassandra's");
    }

    /**
     * The operator's own query handler.
     *
     * @throws ConfigurationException when there is no query handler of that class name, or it cannot be instantiated
     */
    static QueryHandler queryHandler(String className) {
        if (className.equals(IsothermQueryHandler.class.getName())) {
            throw refusal(
                    "query_handler",
                    className,
                    ", it cannot wrap itself",
                    "the query handler the cluster used before, or no such key for Cassandra's own");
        }
        return made(
                "query_handler",
                className,
                className,
                QueryHandler.class,
                "the class name of a query handler, or no such key for Cassandra's own");
    }

    private static <T> T made(String key, String name, String className, Class<T> type, String allowed) {
        try {
            return Class.forName(className)
                    .asSubclass(type)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (InvocationTargetException e) {
            throw refusal(key, name, ": " + said(e.getCause()), allowed);
        } catch (ClassNotFoundException e) {
            throw refusal(key, name, ": there is no class " + className, allowed);
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw refusal(key, name, ": " + e, allowed);
        }
    }

    private static String said(Throwable reason) {
        return reason instanceof ConfigurationException ? reason.getMessage() : reason.toString();
    }

    private static ConfigurationException refusal(String key, String name, String reason, String allowed) {
        return new ConfigurationException(
                "isotherm.yaml: " + key + ": " + name + " is refused" + reason + "; allowed: " + allowed, false);
    }
}
