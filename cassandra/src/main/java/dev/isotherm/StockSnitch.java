// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import java.util.Optional;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.IEndpointSnitch;

/**
 * Makes the snitch by which a node without the plugin orders replicas: Cassandra's dynamic snitch above the operator's
 * own. The node's own dynamic snitch is switched off, as it would order what the plugin has ordered.
 */
final class StockSnitch {
    /*
     * A node of a release that is not known makes it too, and that may lack the class or this constructor, as 6.0 does.
     * So nothing here is linked.
     */
    private static final String DYNAMIC = "org.apache.cassandra.locator.DynamicEndpointSnitch";

    /** In the name of the MBean: Cassandra registers one without, should an operator change the snitch over JMX. */
    private static final String INSTANCE = "isotherm";

    private StockSnitch() {}

    /**
     * The dynamic snitch above the operator's, or the operator's alone where none is wanted, or Cassandra puts one of
     * its own above the plugin's; empty where this release makes it in another way. Once a process: it registers an
     * MBean.
     */
    static Optional<IEndpointSnitch> above(IEndpointSnitch operatorSnitch, boolean isWanted) {
        try {
            if (!isWanted || DatabaseDescriptor.getRawConfig().dynamic_snitch) {
                return Optional.of(operatorSnitch);
            }
            return Optional.of(Class.forName(DYNAMIC)
                    .asSubclass(IEndpointSnitch.class)
                    .getConstructor(IEndpointSnitch.class, String.class)
                    .newInstance(operatorSnitch, INSTANCE));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return Optional.empty();
        }
    }
}
