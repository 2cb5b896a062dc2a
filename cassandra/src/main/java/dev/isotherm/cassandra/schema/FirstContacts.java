// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.schema;

import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.reads.AlwaysSpeculativeRetryPolicy;

/** How many replicas a read contacts from the start. */
public final class FirstContacts {
    private FirstContacts() {}

    /** As many as must answer, and one more with speculative_retry ALWAYS; may be more than there are. */
    public static int of(TableMetadata table, AbstractReplicationStrategy strategy, ConsistencyLevel level) {
        int more = AlwaysSpeculativeRetryPolicy.INSTANCE.equals(table.params.speculativeRetry) ? 1 : 0;
        return level.blockFor(strategy) + more;
    }
}
