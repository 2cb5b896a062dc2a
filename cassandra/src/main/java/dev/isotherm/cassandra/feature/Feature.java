// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.feature;

import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.cassandra.db.virtual.VirtualTable;

/**
 * One thing that the plugin does on a node.
 *
 * <p>Features do not know each other. Each keeps its hands off whatever it is not switched on for, and one that cannot
 * start leaves the others as they are.
 */
public interface Feature {
    /** Its section in {@code isotherm.yaml}, such as {@code heat}. */
    String name();

    /** Whether it works on this node. */
    RuntimeSwitch enabled();

    /**
     * Starts it, when the gossiper exists and is about to start.
     *
     * @param handlers takes what the feature puts on the wire and hears from it; in force once this method has returned
     */
    void start(WireHandlers handlers);

    /** What it does again and again once it has started. */
    List<PeriodicTask> tasks();

    /** Its part in the execution of statements; asked for once, when Cassandra is about to serve clients. */
    StatementInterceptor interceptor();

    /** What may be changed while the node runs, its switch among them. */
    List<RuntimeSetting> settings();

    /** Its virtual tables. */
    List<VirtualTable> views(String keyspace);

    /** What it counts, since the node started, by the names that metrics and {@code isotherm.counts} show. */
    Map<String, LongSupplier> counts();
}
