// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import org.apache.cassandra.schema.Schema;

/**
 * The virtual keyspace of the plugin's views and settings. Cassandra lets nobody create one of its name; where there is
 * one on disk already, Cassandra looks there first, and it hides all of them, the switches among them.
 */
public final class ViewsKeyspace {
    public static final String NAME = "isotherm";

    private ViewsKeyspace() {}

    /** Whether there is one on disk. */
    public static boolean isHidden() {
        return Schema.instance.distributedKeyspaces().containsKeyspace(NAME);
    }
}
