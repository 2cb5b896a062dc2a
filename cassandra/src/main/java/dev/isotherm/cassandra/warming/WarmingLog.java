// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import dev.isotherm.cassandra.runtime.RationedLog;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One line in the log when this node begins to ask for copies of reads, one when it ends. Used by one thread. */
final class WarmingLog {
    private final RationedLog log = new RationedLog(System::nanoTime);
    private boolean asking;
    private long begunNanos;
    private long servedBefore;

    /** @param served copies served since the node started */
    void looked(Set<String> coldTables, long served, long nowNanos) {
        if (asking == !coldTables.isEmpty()) {
            return;
        }
        asking = !asking;
        if (asking) {
            begunNanos = nowNanos;
            servedBefore = served;
            log.info("This node is colder than its peers in {}, and asks for copies of their reads", coldTables);
        } else {
            log.info(
                    "This node asks for no copies of reads any more, after {} ms and {} copies",
                    TimeUnit.NANOSECONDS.toMillis(nowNanos - begunNanos),
                    served - servedBefore);
        }
    }
}
