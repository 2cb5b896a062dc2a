// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.Set;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** Hears of the nodes that copies of this coordinator's reads warm, this node perhaps among them. */
@FunctionalInterface
public interface WarmingListener {
    /**
     * Copies of reads of these tables, and of no others, warm the node from now on.
     *
     * @param tables without one, none do. Not to be changed afterwards
     */
    void warmed(InetAddressAndPort node, Set<TableId> tables);
}
