// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.IEndpointSnitch;

/** Checks of how the plugin is installed in Cassandra: each mistake stops start-up with a sentence that names it. */
final class StartupChecks {
    private static final String HANDLER_PROPERTY = "cassandra.custom_query_handler_class";

    private static final String NOTHING_ENABLED = "enabled: false in the sections heat, guard, limit and queue";

    static final String NO_STATEMENTS = "-D" + HANDLER_PROPERTY
            + " does not name the Isotherm query handler, without which the plugin sees no statement; set it to "
            + IsothermQueryHandler.class.getName() + " and restart the node";

    private StartupChecks() {}

    /**
     * The node's snitch.
     *
     * @throws ConfigurationException if it is not an IsothermSnitch
     */
    static IsothermSnitch isothermSnitch() {
        IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
        if (!(snitch instanceof IsothermSnitch)) {
            throw new ConfigurationException(
                    "-D" + HANDLER_PROPERTY + " names the Isotherm query handler, but cassandra.yaml: endpoint_snitch: "
                            + DatabaseDescriptor.getRawConfig().endpoint_snitch
                            + "; allowed: both or neither, the snitch being "
                            + IsothermSnitch.class.getName(),
                    false);
        }
        return (IsothermSnitch) snitch;
    }

    /** @throws ConfigurationException at the first mistake */
    static void check(IsothermConfig config) {
        if (DatabaseDescriptor.getRawConfig().dynamic_snitch) {
            throw new ConfigurationException(
                    "cassandra.yaml: dynamic_snitch: true is refused with the Isotherm snitch, which it would override;"
                            + " allowed: dynamic_snitch: false",
                    false);
        }
        if (config.needsStatements()) {
            checkHandler(System.getProperty(HANDLER_PROPERTY));
        }
    }

    /** Whether the plugin sees statements: a node may do without where no feature that needs them is enabled. */
    static boolean seesStatements() {
        return IsothermQueryHandler.class.getName().equals(System.getProperty(HANDLER_PROPERTY));
    }

    /** @throws ConfigurationException if the query handler, by class name or null, is not the plugin's */
    private static void checkHandler(String handler) {
        String ours = IsothermQueryHandler.class.getName();
        if (handler == null) {
            throw new ConfigurationException(
                    "-D" + HANDLER_PROPERTY + " is not set, without which the plugin sees no statement; allowed: "
                            + ours + ", or " + NOTHING_ENABLED + " of isotherm.yaml",
                    false);
        }
        if (!handler.equals(ours)) {
            throw new ConfigurationException(
                    "-D" + HANDLER_PROPERTY + "=" + handler
                            + " is refused with the Isotherm snitch, as the plugin would"
                            + " see no statement; allowed: " + ours + ", with query_handler: " + handler
                            + " in isotherm.yaml, or " + NOTHING_ENABLED + " of it",
                    false);
        }
    }

    /**
     * The exception that a constructor called by Cassandra through reflection throws for a mistake.
     *
     * <p>Cassandra reports the cause of this exception. A ConfigurationException thrown directly would be hidden behind
     * Cassandra's own message, which names only the class, and a stack trace.
     */
    static RuntimeException asCause(ConfigurationException mistake) {
        return new IllegalStateException(mistake.getMessage(), mistake);
    }
}
