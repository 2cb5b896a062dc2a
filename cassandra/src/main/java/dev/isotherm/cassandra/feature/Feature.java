// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.feature;

import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.cassandra.db.virtual.VirtualTable;

/**
 * A feature of the plugin on one node.
 *
 * <p>Features do not know each other. A feature that is switched off changes nothing, and a feature that cannot start
 * does not affect the others.
 */
public interface Feature {
    /** The name of the feature's section in {@code isotherm.yaml}, such as {@code heat}. */
    String name();

    /** The feature's switch on this node. */
    RuntimeSwitch enabled();

    /**
     * Starts the feature, when the gossiper exists and is about to start.
     *
     * @param handlers receives the feature's handlers of messages and gossip, which take effect once this method has
     *     returned
     */
    void start(WireHandlers handlers);

    /**
     * A feature is being switched on after a time in which none was, and in which requests were not looked at; nothing
     * is done yet.
     */
    default void resume() {}

    /** The tasks that the feature repeats once it has started. */
    List<PeriodicTask> tasks();

    /**
     * The feature's interceptor of statements, if it has one; asked for once, when Cassandra is about to serve clients.
     */
    Optional<StatementInterceptor> interceptor();

    /** The settings that can be changed while the node runs, including the feature's switch. */
    List<RuntimeSetting> settings();

    /** The feature's virtual tables. */
    List<VirtualTable> views(String keyspace);

    /** The feature's counts since the node started, by their names in metrics and {@code isotherm.counts}. */
    Map<String, LongSupplier> counts();
}
