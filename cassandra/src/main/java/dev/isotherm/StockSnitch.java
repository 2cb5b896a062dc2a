// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import java.lang.reflect.InvocationTargetException;
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

    private final IEndpointSnitch snitch;
    /** Null if nothing has failed. */
    private final Throwable failure;

    private StockSnitch(IEndpointSnitch snitch, Throwable failure) {
        this.snitch = snitch;
        this.failure = failure;
    }

    /**
     * The dynamic snitch above the operator's; the operator's alone where none is wanted, where Cassandra puts one of
     * its own above the plugin's, or where it cannot be made. Once a process: it registers an MBean.
     */
    static StockSnitch above(IEndpointSnitch operatorSnitch, boolean isWanted) {
        try {
            if (!isWanted || DatabaseDescriptor.getRawConfig().dynamic_snitch) {
                return new StockSnitch(operatorSnitch, null);
            }
            IEndpointSnitch dynamic = Class.forName(DYNAMIC)
                    .asSubclass(IEndpointSnitch.class)
                    .getConstructor(IEndpointSnitch.class, String.class)
                    .newInstance(operatorSnitch, INSTANCE);
            return new StockSnitch(dynamic, null);
        } catch (InvocationTargetException e) {
            return new StockSnitch(operatorSnitch, e.getCause());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return new StockSnitch(operatorSnitch, e);
        }
    }

    IEndpointSnitch snitch() {
        return snitch;
    }

    /** Why it is the operator's alone where a dynamic one is wanted; empty where it is what is wanted. */
    Optional<Throwable> whyNotDynamic() {
        return Optional.ofNullable(failure);
    }
}
