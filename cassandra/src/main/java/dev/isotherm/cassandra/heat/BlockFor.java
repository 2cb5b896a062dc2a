// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.TableId;

/** How many replicas a read contacts. */
interface BlockFor {
    /** Says that a level asks nothing of each datacenter, or that the table is gone. */
    int NONE = -1;

    /** The replicas a read of the table contacts at the level, wherever they are; {@link #NONE} without the table. */
    int inAll(TableId table, ConsistencyLevel level);

    /** The replicas it must contact in that datacenter; {@link #NONE} unless the level counts each by itself. */
    int inEach(TableId table, ConsistencyLevel level, String datacenter);
}
