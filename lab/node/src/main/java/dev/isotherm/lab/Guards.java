// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.cassandra.db.guardrails.GuardrailsMBean;

/** The node's guardrails, as its operator sets them: the object behind the bean is not public in each release. */
final class Guards {
    private static final String BEAN = "org.apache.cassandra.db:type=Guardrails";

    private Guards() {}

    /**
     * {@code <disallowed|ignored|warned> <names>}: sets the names that the guardrail on table properties disallows,
     * ignores or warns of. {@code keys <number>}: sets above how many keys in its IN a guardrail warns of a SELECT; -1
     * is of none.
     */
    static void set(String argument) throws JMException {
        String[] parts = argument.split(" ", 2);
        String names = parts.length == 2 ? parts[1] : "";
        GuardrailsMBean guardrails = JMX.newMBeanProxy(
                ManagementFactory.getPlatformMBeanServer(), new ObjectName(BEAN), GuardrailsMBean.class);
        switch (parts[0]) {
            case "disallowed":
                guardrails.setTablePropertiesDisallowedCSV(names);
                break;
            case "ignored":
                guardrails.setTablePropertiesIgnoredCSV(names);
                break;
            case "warned":
                guardrails.setTablePropertiesWarnedCSV(names);
                break;
            case "keys":
                guardrails.setInSelectCartesianProductThreshold(Integer.parseInt(names), -1);
                break;
            default:
                throw new IllegalArgumentException(
                        "guardrail takes 'disallowed', 'ignored', 'warned' or 'keys', not '" + parts[0] + "'");
        }
    }
}
