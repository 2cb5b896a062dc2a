// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import com.sun.tools.attach.VirtualMachine;
import java.util.TreeSet;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Prints the plugin's metrics in the JMX of a running node, a line each: name, scope or {@code -}, the value's class.
 *
 * <p>Its arguments are the process id of the node and, optionally, the jar of a Java agent to load into it before, with
 * the agent's arguments. It is started from its source.
 */
public final class ReadsMetrics {
    private ReadsMetrics() {}

    /** Exit code 0: done. */
    public static void main(String[] arguments) throws Exception {
        VirtualMachine node = VirtualMachine.attach(arguments[0]);
        if (arguments.length > 1) {
            node.loadAgent(arguments[1], arguments[2]);
        }
        JMXServiceURL url = new JMXServiceURL(node.startLocalManagementAgent());
        node.detach();
        try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            ObjectName all = new ObjectName("org.apache.cassandra.metrics:type=Isotherm,*");
            for (ObjectName name : new TreeSet<>(server.queryNames(all, null))) {
                String scope = name.getKeyProperty("scope");
                Object value = server.getAttribute(name, "Value");
                System.out.println(name.getKeyProperty("name") + " "
                        + (scope == null ? "-" : ObjectName.unquote(scope)) + " "
                        + value.getClass().getSimpleName());
            }
        }
    }
}
