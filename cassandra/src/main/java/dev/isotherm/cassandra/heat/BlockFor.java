// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.TableId;

/** The number of replicas that a read contacts. */
interface BlockFor {
    /** No number: the level does not count each datacenter separately, or the table is gone. */
    int NONE = -1;

    /**
     * The number of replicas that a read of the table contacts at the level, in all datacenters; {@link #NONE} without
     * the table.
     */
    int inAll(TableId table, ConsistencyLevel level);

    /**
     * The number of replicas that a read must contact in the datacenter; {@link #NONE} unless the level counts each
     * datacenter separately.
     */
    int inEach(TableId table, ConsistencyLevel level, String datacenter);
}
